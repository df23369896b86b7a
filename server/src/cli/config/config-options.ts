import { isIgnored } from '../../config/option-names.ts';
import { type KnownOption, options as serverOptions } from '../../config/options.ts';
import type { CliOption } from '../command.ts';
import { flagOf } from '../common-options.ts';
import { profileOptions } from '../users/user-options.ts';

/** An option that changes a setting, and the path of that setting. */
interface SettingOption extends CliOption {
  readonly path: readonly string[];
  /** `words` are separated by spaces; `number` is an integer. */
  readonly type: 'switch' | 'text' | 'words' | 'number';
}

const setting = (
  name: string,
  type: SettingOption['type'],
  description: string,
  more: { path?: readonly string[]; short?: string } = {},
): SettingOption => ({
  name,
  type,
  kind: type === 'switch' ? 'switch' : 'text',
  ...(type === 'switch' ? {} : { value: type }),
  description,
  path: more.path ?? name.split('.'),
  ...(more.short === undefined ? {} : { short: more.short }),
});

/** The options for settings that administrators can also change in the browser. */
export const settingOptions: readonly SettingOption[] = [
  setting('signup', 'switch', 'visitors may sign up', { short: 's' }),
  setting('createUserDir', 'switch', 'create a home folder for every new user'),
  setting('userHomeBasePath', 'text', 'parent folder of home folders'),
  setting(
    'confirmedDefaultScope',
    'text',
    'the default scope that new accounts without a home folder may use',
  ),
  setting('hideLoginButton', 'switch', 'hide the sign-in button on public links'),
  setting('minimumPasswordLength', 'number', 'minimum password length in characters'),
  setting('requireCurrentPassword', 'switch', 'require the current password for changes of users'),
  setting('shell', 'words', 'shell that runs commands, with its arguments'),
  setting('branding.name', 'text', 'name of this installation'),
  setting('branding.color', 'text', 'theme color of the browser window'),
  setting('branding.files', 'text', 'folder with the logo and custom.css'),
  setting('branding.theme', 'text', 'light, dark or empty'),
  setting('branding.disableExternal', 'switch', 'hide links to other sites'),
  setting('branding.disableUsedPercentage', 'switch', 'hide the disk usage'),
  setting('branding.reportURL', 'text', 'address for problem reports (web or mailto:)'),
  setting('shareDefaults.duration', 'number', 'default duration of new links; 0 for permanent links'),
  setting('shareDefaults.unit', 'text', 'unit of that duration: seconds, minutes, hours or days'),
  setting('tus.chunkSize', 'number', 'size of the parts of resumable uploads, in bytes'),
  setting('tus.retryCount', 'number', 'number of retries of a part'),
];

/** The options for the authentication method, which apply from the next start on. */
export const authOptions: readonly CliOption[] = serverOptions
  .filter(({ name }) => /^(?:auth|recaptcha)\./.test(name))
  .map(flagOf);

const settingNames = new Set(settingOptions.map(({ name }) => name));

/** The start-up options that can be stored. An option that is also a setting is stored as the setting. */
export const storableOptions: readonly KnownOption[] = serverOptions.filter(
  ({ name, isStorable }) => isStorable !== false && !settingNames.has(name),
);

/** Options of File Browser that have no effect here. */
const ignoredOptions = [
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
    return {
      name,
      kind: isSwitch ? 'switch' : 'text',
      description: 'accepted for compatibility and ignored',
      isHidden: true,
    };
  });

/** Whether an option is accepted only for compatibility with existing scripts. */
export const isCompatibilityOption = (name: string): boolean =>
  isIgnored(name) || ignoredOptions.some((option) => option.name === name);

/** The options of `config init` and `config set`: settings, authentication, defaults for new users, start-up options. */
export const configOptions: readonly CliOption[] = [
  ...settingOptions,
  ...authOptions,
  ...profileOptions,
  ...storableOptions.map(flagOf),
  ...ignoredOptions,
];
