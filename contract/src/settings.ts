import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { lenientChoice, lenientList } from './values/lenient.ts';
import {
  defaultMinimumPasswordLength,
  defaultTrashDays,
  defaultVersionDays,
  defaultUploadChunkBytes,
  defaultUploadRetries,
  maxJsonBodyBytes,
  maxShareDuration,
} from './values/limits.ts';
import { letterCases } from './match-rules.ts';
import { Permissions, PermissionsChange } from './values/permissions.ts';
import { Rules, RulesChange } from './rules.ts';
import { InvalidPathError, type VirtualPath, parsePath } from './paths/virtual-path.ts';
import { shareUnits } from './shares.ts';
import { addedPreferences, defaultsChangeShape, defaultsShape, inOrder, viewModes } from './user-fields.ts';

const text = z._default(z.string().check(z.maxLength(4096)), '');
const flag = z._default(z.boolean(), false);
const line = z.string().check(z.maxLength(4096));
const maxLines = 256;
const lines = z._default(z.array(line), []);
const linesChange = lenientList(line, maxLines);
const scope = z._default(line, '.');
const eventName = z.string().check(z.maxLength(64));

/** The first keys of the defaults, in the order that existing clients know. */
export const defaultsOrder = [
  'scope',
  'locale',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'sorting',
  'perm',
  'commands',
] as const;

/** The default settings of new users. */
export const UserDefaults = z.object(
  inOrder(defaultsOrder, { scope, perm: Permissions, commands: lines, ...defaultsShape }),
);
export type UserDefaults = z.output<typeof UserDefaults>;

/** `''` leaves the choice to each user and their operating system. */
export const themes = ['', 'light', 'dark'] as const;

const brandName = z._default(z.string().check(z.maxLength(128)), '');
const color = z.string().check(z.maxLength(64));
const theme = z._default(z.enum(themes), '');

/** Whether `text` is a valid address for problem reports: a web page or an e-mail address. */
export const isReportURL = (text: string): boolean =>
  /^(?:https?:\/\/[^\s/?#]+(?:[/?#]\S*)?|mailto:[^\s@]+@[^\s@]+)$/iu.test(text);

/** The address at which users report problems: `https:`, `http:` or `mailto:`; empty if there is no address. */
const reportURL = z.string().check(
  z.maxLength(2048),
  z.refine((text) => text === '' || isReportURL(text), 'expected an https:, http: or mailto: address'),
);

export const Branding = z.object({
  name: brandName,
  disableExternal: flag,
  files: text,
  theme,
  color: z._default(color, ''),
  disableUsedPercentage: flag,
  reportURL: z._default(reportURL, ''),
});

/** The events that hooks can be attached to (docs/reference/filebrowser-api.md §1.16). */
export const commandEvents = [
  'after_copy',
  'after_delete',
  'after_purge',
  'after_rename',
  'after_restore',
  'after_save',
  'after_upload',
  'before_copy',
  'before_delete',
  'before_purge',
  'before_rename',
  'before_restore',
  'before_save',
  'before_upload',
] as const;

const passwordLength = z.int().check(z.gte(1), z.lte(1024));
const chunkSize = z.int().check(z.gte(1), z.lte(Number.MAX_SAFE_INTEGER));
const shareDuration = z.int().check(z.gte(0), z.lte(maxShareDuration));
const trashDays = z.int().check(z.gte(0), z.lte(36_500));
/** A limit in bytes; 0 for none. */
const keptSize = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
const versionDays = z.int().check(z.gte(0), z.lte(36_500));
export const trashVisibilities = ['place', 'deleter'] as const;
const retryCount = z.int().check(z.gte(0), z.lte(100));

/**
 * The stored settings: those of docs/reference/filebrowser-api.md §1.14, then the additions of newer clients (§6.1) and
 * ours.
 */
export const Settings = z.object({
  signup: flag,
  createUserDir: flag,
  userHomeBasePath: z._default(line, '/users'),
  /**
   * The default scope that an administrator has confirmed for accounts without a home folder that are created by
   * sign-up, a proxy or a sign-in program. They see no files unless it equals `defaults.scope`. Empty: none is
   * confirmed.
   */
  confirmedDefaultScope: z._default(line, ''),
  defaults: UserDefaults,
  rules: z._default(Rules, []),
  branding: Branding,
  shell: lines,
  commands: z._default(z.record(eventName, z.array(line)), {}),
  /** Whether the sign-in link is hidden from visitors of a share. */
  hideLoginButton: flag,
  /** In characters. */
  minimumPasswordLength: z._default(passwordLength, defaultMinimumPasswordLength),
  tus: z._default(
    z.object({
      /** In bytes. */
      chunkSize: z._default(chunkSize, defaultUploadChunkBytes),
      retryCount: z._default(retryCount, defaultUploadRetries),
    }),
    { chunkSize: defaultUploadChunkBytes, retryCount: defaultUploadRetries },
  ),
  /** Whether changes of users must be confirmed with the password of the signed-in user. */
  requireCurrentPassword: flag,
  /** The duration that the page suggests for a new share. A share that is created without one is permanent. */
  shareDefaults: z._default(
    z.object({
      /** In `unit`; 0 is permanent. */
      duration: z._default(shareDuration, 0),
      unit: z._default(z.enum(shareUnits), 'hours'),
    }),
    { duration: 0, unit: 'hours' },
  ),
  /** The time for which deleted entries stay in the trash, in days; 0 for no limit. */
  trashDays: z._default(trashDays, defaultTrashDays),
  /** The users who see a deleted entry: all who can see its place, or the one who deleted it and administrators. */
  trashVisibility: z._default(z.enum(trashVisibilities), 'place'),
  /** The number of days for which versions of files are kept; 0 for no limit. Some are thinned out earlier. */
  versionDays: z._default(versionDays, defaultVersionDays),
  /**
   * The limit of deleted entries and versions on one disk, in bytes, above which the oldest are removed early; 0 for no
   * limit.
   */
  keptSize: z._default(keptSize, 0),
});
export type Settings = z.output<typeof Settings>;

/** Returns a scope in its canonical form; null if it is not a path. Empty and `.` mean the served root. */
export function canonicalScope(scope: string): VirtualPath | null {
  try {
    return parsePath(scope.trim()).path;
  } catch (error) {
    if (error instanceof InvalidPathError) return null;
    throw error;
  }
}

/**
 * Whether an administrator has confirmed that accounts without a home folder may see the default scope. The
 * confirmation contains the scope, so that it lapses when the default scope changes.
 */
export function isDefaultScopeConfirmed({
  confirmedDefaultScope,
  defaults,
}: {
  confirmedDefaultScope: string;
  defaults: Pick<UserDefaults, 'scope'>;
}): boolean {
  const confirmed = confirmedDefaultScope.trim();
  return confirmed !== '' && canonicalScope(confirmed) === canonicalScope(defaults.scope);
}

/**
 * Branding as sent to administrators. Existing clients know the themes `''`, which they call light, and `dark`: both
 * light and the system's choice are sent as `''`, and `followsSystem` distinguishes them.
 */
const BrandingResponse = z.extend(Branding, { theme: z.enum(['', 'dark']), followsSystem: z.boolean() });

/** The settings as sent to administrators, with the authentication method, which is set when the server starts. */
export const SettingsResponse = z.extend(Settings, {
  branding: BrandingResponse,
  authMethod: z.enum(['json', 'proxy', 'hook', 'noauth']),
  /** The comparison of letter case in names by the served file systems, for testing rules. */
  letterCase: z.enum(letterCases),
});
export type SettingsResponse = z.output<typeof SettingsResponse>;

/**
 * The settings as sent by clients. Missing fields get their defaults, except for those that older clients do not know
 * (everything optional here), which keep their values. Lists may be `null`. `authMethod` and unknown keys are ignored.
 */
export const SettingsChange = z.object({
  signup: flag,
  createUserDir: flag,
  userHomeBasePath: text,
  confirmedDefaultScope: z.optional(line),
  defaults: z.prefault(
    z.object({
      scope,
      perm: z.prefault(PermissionsChange, {}),
      commands: linesChange,
      ...defaultsChangeShape,
      // Existing clients send an empty view mode for this one.
      viewMode: z._default(lenientChoice(viewModes, 'mosaic'), 'mosaic'),
    }),
    {},
  ),
  rules: RulesChange,
  branding: z.prefault(
    z.object({
      name: brandName,
      disableExternal: flag,
      files: text,
      theme,
      /** For the theme `''`: whether it is the system's choice or light. */
      followsSystem: z.optional(z.boolean()),
      color: z.optional(color),
      disableUsedPercentage: z.optional(z.boolean()),
      reportURL: z.optional(reportURL),
    }),
    {},
  ),
  shell: linesChange,
  commands: z._default(
    z.pipe(
      z.nullable(z.record(eventName, linesChange)),
      z.transform((commands) => commands ?? {}),
    ),
    {},
  ),
  hideLoginButton: z.optional(z.boolean()),
  minimumPasswordLength: z.optional(passwordLength),
  tus: z.optional(z.object({ chunkSize: z.optional(chunkSize), retryCount: z.optional(retryCount) })),
  requireCurrentPassword: z.optional(z.boolean()),
  shareDefaults: z.optional(
    z.object({ duration: z.optional(shareDuration), unit: z.optional(z.enum(shareUnits)) }),
  ),
  trashDays: z.optional(trashDays),
  trashVisibility: z.optional(z.enum(trashVisibilities)),
  versionDays: z.optional(versionDays),
  keptSize: z.optional(keptSize),
});
export type SettingsChange = z.output<typeof SettingsChange>;

/** The request to change the settings; `current_password` confirms that confirmations are to be disabled. */
export const SettingsEnvelope = z.extend(SettingsChange, {
  current_password: z.optional(z.string().check(z.maxLength(1024))),
});

export const getSettings = endpoint({
  id: 'getSettings',
  feature: 'settings',
  method: 'GET',
  path: '/api/settings',
  summary: 'Get the global settings',
  access: 'administrator',
  responses: { 200: { description: 'The settings', json: SettingsResponse } },
  errors: ['not_signed_in', 'forbidden'],
});

const addedDefaults = addedPreferences.map((name) => `\`defaults.${name}\``).join(', ');

export const updateSettings = endpoint({
  id: 'updateSettings',
  feature: 'settings',
  method: 'PUT',
  path: '/api/settings',
  summary: 'Replace the global settings; missing fields get their defaults',
  description: `Fields that older clients do not know keep their values if they are missing: \`hideLoginButton\`, \`minimumPasswordLength\`, \`tus\`, \`requireCurrentPassword\`, \`confirmedDefaultScope\`, \`shareDefaults\`, \`trashDays\`, \`trashVisibility\`, \`versionDays\`, \`keptSize\`, \`branding.color\`, \`branding.disableUsedPercentage\`, \`branding.reportURL\`, ${addedDefaults}. The theme of \`branding\` is \`dark\` or empty; for the empty one \`followsSystem\` specifies whether it is the choice of each user’s system or light. Without \`followsSystem\` an empty theme changes dark to light and keeps the others; \`light\` is light. \`authMethod\` and \`letterCase\` are read-only. Disabling \`requireCurrentPassword\` requires \`current_password\`. \`confirmedDefaultScope\` is the default scope that accounts without a home folder, created by sign-up, a proxy or a sign-in program, may see; while it is empty or differs from \`defaults.scope\`, such accounts are created but see no files (\`scope_not_granted\`).`,
  access: 'administrator',
  body: SettingsEnvelope,
  maxBodyBytes: maxJsonBodyBytes,
  responses: { 200: { description: 'Saved', text: true } },
  errors: [
    'bad_request',
    'invalid_path',
    'invalid_rule',
    'not_signed_in',
    'forbidden',
    'current_password_wrong',
    'too_many_requests',
  ],
});
