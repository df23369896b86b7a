import { isIgnored } from '../../config/option-names.ts';
import { type KnownOption, options as serverOptions } from '../../config/options.ts';
import type { CliOption } from '../command.ts';
import { flagOf } from '../common-options.ts';
import { profileOptions } from '../users/user-options.ts';

/** A setting that an option changes, by its place in the settings. */
interface SettingOption extends CliOption {
  readonly place: readonly string[];
  /** `words` are separated by spaces; a number is a whole one. */
  readonly type: 'switch' | 'text' | 'words' | 'number';
}

const setting = (
  name: string,
  type: SettingOption['type'],
  description: string,
  more: { place?: readonly string[]; short?: string } = {},
): SettingOption => ({
  name,
  type,
  kind: type === 'switch' ? 'switch' : 'text',
  ...(type === 'switch' ? {} : { value: type }),
  description,
  place: more.place ?? name.split('.'),
  ...(more.short === undefined ? {} : { short: more.short }),
});

/** The options of the settings that administrators can also change in the browser. */
export const settingOptions: readonly SettingOption[] = [
  setting('signup', 'switch', 'visitors may sign up', { short: 's' }),
  setting('createUserDir', 'switch', 'make a home folder for every new user'),
  setting('userHomeBasePath', 'text', 'where home folders are made'),
  setting('confirmedDefaultScope', 'text', 'the default scope that accounts without a home folder may see'),
  setting('hideLoginButton', 'switch', 'do not offer visitors of public links to sign in'),
  setting('minimumPasswordLength', 'number', 'shortest password that is accepted, in characters'),
  setting('requireCurrentPassword', 'switch', 'changes of users have to repeat one’s own password'),
  setting('shell', 'words', 'program that commands are given to'),
  setting('branding.name', 'text', 'name of this installation'),
  setting('branding.color', 'text', 'colour of the browser’s frame'),
  setting('branding.files', 'text', 'folder with the logo and custom.css'),
  setting('branding.theme', 'text', 'light, dark or empty'),
  setting('branding.disableExternal', 'switch', 'hide links to other sites'),
  setting('branding.disableUsedPercentage', 'switch', 'hide how full the disk is'),
  setting('branding.reportURL', 'text', 'where users report problems: a web or mailto: address'),
  setting('shareDefaults.duration', 'number', 'duration of a new link in the page; 0 is permanent'),
  setting('shareDefaults.unit', 'text', 'its unit: seconds, minutes, hours or days'),
  setting('tus.chunkSize', 'number', 'parts of resumable uploads, in bytes'),
  setting('tus.retryCount', 'number', 'how often a part is sent again'),
];

/** The options of the authentication method; they count from the next start on. */
export const authOptions: readonly CliOption[] = serverOptions
  .filter(({ name }) => /^(?:auth|recaptcha)\./.test(name))
  .map(flagOf);

const settingNames = new Set(settingOptions.map(({ name }) => name));

/** The start-up options that can be stored. One that is also a setting is stored as that. */
export const storableOptions: readonly KnownOption[] = serverOptions.filter(
  ({ name, isStorable }) => isStorable !== false && !settingNames.has(name),
);

/** Options of existing scripts that have no effect here. */
const meaninglessOptions = [
  'lockPassword',
  'cacheDir',
  'imgProcessors',
  'imageProcessors',
  'disableThumbnails',
  'disablePreviewResize',
  'disableTypeDetectionByHeader',
  'disableImageResolutionCalc',
  'redisCacheUrl',
  'socketPerm',
]
  .filter((name) => !serverOptions.some((option) => option.name === name))
  .map((name): CliOption => {
    const isSwitch = name.startsWith('disable') || name === 'lockPassword';
    return { name, kind: isSwitch ? 'switch' : 'text', description: 'has no meaning here', isHidden: true };
  });

/** Whether an option is accepted only because existing scripts give it. */
export const isMeaningless = (name: string): boolean =>
  isIgnored(name) || meaninglessOptions.some((option) => option.name === name);

/** The options of `config init` and `config set`: settings, signing in, defaults of new users, start-up options. */
export const configOptions: readonly CliOption[] = [
  ...settingOptions,
  ...authOptions,
  ...profileOptions,
  ...storableOptions.map(flagOf),
  ...meaninglessOptions,
];
