import { maxShareDuration } from '@filestead/contract/values/limits';
import { isReportURL, type Settings, type SettingsResponse } from '@filestead/contract/settings';
import type { ShareUnit } from '@filestead/contract/shares';
import { pathOfText } from '../../ui/fields/typed-path.ts';
import { parseSizeText, sizeText } from './form/size-text.ts';

/** The values of the general sections as typed. */
export interface GeneralDraft {
  signup: boolean;
  createUserDir: boolean;
  userHomeBasePath: string;
  /** The confirmed default scope; empty if none is confirmed. */
  confirmedDefaultScope: string;
  minimumPasswordLength: string;
  requireCurrentPassword: boolean;
  shell: string;
  name: string;
  theme: Settings['branding']['theme'];
  color: string;
  files: string;
  disableExternal: boolean;
  disableUsedPercentage: boolean;
  reportURL: string;
  shareDuration: string;
  shareUnit: ShareUnit;
  hideLoginButton: boolean;
  chunkSize: string;
  retryCount: string;
  /** In days; 0 for no limit. */
  trashDays: number;
  versionDays: number;
  trashVisibility: Settings['trashVisibility'];
  /** A size; empty for no limit. */
  keptSize: string;
}

export const generalDraftOf = (settings: SettingsResponse): GeneralDraft => ({
  signup: settings.signup,
  createUserDir: settings.createUserDir,
  userHomeBasePath: settings.userHomeBasePath,
  confirmedDefaultScope: settings.confirmedDefaultScope,
  minimumPasswordLength: String(settings.minimumPasswordLength),
  requireCurrentPassword: settings.requireCurrentPassword,
  shell: settings.shell.join(' '),
  name: settings.branding.name,
  theme:
    settings.branding.theme === '' && !settings.branding.followsSystem ? 'light' : settings.branding.theme,
  color: settings.branding.color,
  files: settings.branding.files,
  disableExternal: settings.branding.disableExternal,
  disableUsedPercentage: settings.branding.disableUsedPercentage,
  reportURL: settings.branding.reportURL,
  shareDuration: settings.shareDefaults.duration === 0 ? '' : String(settings.shareDefaults.duration),
  shareUnit: settings.shareDefaults.unit,
  hideLoginButton: settings.hideLoginButton,
  chunkSize: sizeText(settings.tus.chunkSize),
  retryCount: String(settings.tus.retryCount),
  trashDays: settings.trashDays,
  versionDays: settings.versionDays,
  trashVisibility: settings.trashVisibility,
  keptSize: settings.keptSize === 0 ? '' : sizeText(settings.keptSize),
});

/** The minimum and maximum of each integer field, as in the API. */
export const bounds = {
  minimumPasswordLength: { min: 1, max: 1024 },
  retryCount: { min: 0, max: 100 },
  shareDuration: { min: 0, max: maxShareDuration },
} as const;

const isIntegerBetween = (text: string, { min, max }: { min: number; max: number }): boolean =>
  /^\s*\d{1,10}\s*$/u.test(text) && Number(text) >= min && Number(text) <= max;

export type GeneralField =
  | 'userHomeBasePath'
  | 'minimumPasswordLength'
  | 'color'
  | 'reportURL'
  | 'shareDuration'
  | 'chunkSize'
  | 'retryCount'
  | 'keptSize';

/** Returns the fields with invalid values, in the order of the form. */
export function invalidFieldsOf(draft: GeneralDraft): GeneralField[] {
  const checks: readonly [GeneralField, boolean][] = [
    ['userHomeBasePath', pathOfText(draft.userHomeBasePath) !== null],
    ['minimumPasswordLength', isIntegerBetween(draft.minimumPasswordLength, bounds.minimumPasswordLength)],
    ['color', draft.color.trim() === '' || /^(?:#[\da-f]{3,8}|[a-z]{3,32})$/iu.test(draft.color.trim())],
    ['reportURL', draft.reportURL.trim() === '' || isReportURL(draft.reportURL.trim())],
    [
      'shareDuration',
      draft.shareDuration.trim() === '' || isIntegerBetween(draft.shareDuration, bounds.shareDuration),
    ],
    ['chunkSize', parseSizeText(draft.chunkSize) !== null],
    ['retryCount', isIntegerBetween(draft.retryCount, bounds.retryCount)],
    ['keptSize', draft.keptSize.trim() === '' || parseSizeText(draft.keptSize) !== null],
  ];
  return checks.filter(([, isValid]) => !isValid).map(([field]) => field);
}

/** Returns the settings with the values of the sections, which must be valid. */
export const withGeneral = <FullSettings extends SettingsResponse>(
  settings: FullSettings,
  draft: GeneralDraft,
): FullSettings => ({
  ...settings,
  signup: draft.signup,
  createUserDir: draft.createUserDir,
  userHomeBasePath: draft.userHomeBasePath.trim(),
  confirmedDefaultScope: draft.confirmedDefaultScope,
  minimumPasswordLength: Number(draft.minimumPasswordLength),
  requireCurrentPassword: draft.requireCurrentPassword,
  // Split at spaces, without empty words (docs/reference/behaviour.md §5).
  shell: draft.shell.split(/\s+/u).filter((word) => word !== ''),
  branding: {
    name: draft.name.trim(),
    theme: draft.theme === 'dark' ? 'dark' : '',
    followsSystem: draft.theme === '',
    color: draft.color.trim(),
    files: draft.files.trim(),
    disableExternal: draft.disableExternal,
    disableUsedPercentage: draft.disableUsedPercentage,
    reportURL: draft.reportURL.trim(),
  },
  hideLoginButton: draft.hideLoginButton,
  shareDefaults: { duration: Number(draft.shareDuration.trim()), unit: draft.shareUnit },
  tus: {
    chunkSize: parseSizeText(draft.chunkSize) ?? settings.tus.chunkSize,
    retryCount: Number(draft.retryCount),
  },
  trashDays: draft.trashDays,
  versionDays: draft.versionDays,
  trashVisibility: draft.trashVisibility,
  keptSize: draft.keptSize.trim() === '' ? 0 : (parseSizeText(draft.keptSize) ?? settings.keptSize),
});
