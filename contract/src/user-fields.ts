import * as z from 'zod/mini';
import { Rules, RulesChange } from './rules.ts';
import { lenientChoice, lenientList } from './values/lenient.ts';
import { columnKeys } from './values/listing-columns.ts';
import { knownLocale } from './values/locales.ts';
import { Permissions, PermissionsChange } from './values/permissions.ts';

export const viewModes = ['list', 'mosaic', 'mosaic gallery'] as const;
export const ViewMode = z.enum(viewModes);
export type ViewMode = z.output<typeof ViewMode>;

/** The pages that a user can start on: their files, Home, and the page that the browser showed last. */
export const startPages = ['files', 'home', 'last'] as const;
export const StartPage = z.enum(startPages);
export type StartPage = z.output<typeof StartPage>;

export const sortKeys = columnKeys;
/**
 * `asc` keeps its meaning on the wire (docs/reference/filebrowser-api.md §1.5): for names `false` is A to Z, for sizes and dates `false` is
 * largest or newest first. `listingColumns` has the usual direction of each key.
 */
export const Sorting = z.object({
  by: z._default(z.enum(sortKeys), 'name'),
  asc: z._default(z.boolean(), false),
});
export type Sorting = z.output<typeof Sorting>;
/** A sorting as sent by clients: an empty key means the name. */
export const SortingChange = z.object({
  by: z._default(lenientChoice(sortKeys, 'name'), 'name'),
  asc: z._default(z.boolean(), false),
});

export const Locale = z.pipe(
  z.string().check(
    z.maxLength(16),
    z.refine((code) => knownLocale(code) !== null, 'unknown locale'),
  ),
  z.transform((code) => knownLocale(code) ?? ''),
);

/**
 * The editor's color theme, by the name that newer clients use; clients may choose their own theme for unknown names.
 * The offered themes, with their labels, are `editorThemes` in `editor-themes.ts`.
 */
export const EditorTheme = z.string().check(z.maxLength(64), z.regex(/^[\w-]*$/));

const text = z.string();
const flag = z.boolean();
const name = z.string().check(z.minLength(1), z.maxLength(128));
const scope = z.string().check(z.maxLength(4096));
const commands = lenientList(z.string().check(z.maxLength(256)), 256);

/** One field of a user. */
interface UserFieldSpec {
  /** As stored and as sent to clients. */
  readonly value: z.ZodMiniType;
  /** As sent by clients. */
  readonly change: z.ZodMiniType;
  readonly changedBy: 'user' | 'administrator';
  /**
   * Whether a change must be confirmed with the signed-in user's password if the settings require it
   * (docs/reference/filebrowser-api.md §6.2).
   */
  readonly isConfirmed?: true;
  /**
   * Preferences only (fields for the user's own convenience): the value for a user for whom nobody has chosen
   * one. Preferences are also in the defaults of the settings, in the claim of the token and in the profile.
   */
  readonly initial?: unknown;
  /** Preferences only: the schema of the default in the settings, where it differs from `value`. */
  readonly inSettings?: z.ZodMiniType;
  /**
   * Whether clients of the API of File Browser 2.23 do not know the preference. In a record without it, it keeps its
   * value, and a new user gets the default of the settings.
   */
  readonly isAddition?: true;
  /** Preferences only: the values between which forms offer a choice, where they have no field of their own. */
  readonly choices?: readonly string[];
  /** The option of the command line; a preference without a placeholder is a switch, there and in the forms. */
  readonly option?: { readonly value?: string; readonly description: string };
}

/**
 * Every field of a user except the id and what the server records, in the order of the API. Schemas, database, defaults,
 * token, command line, imports and forms read this table. A new preference is an entry here, a migration in
 * `server/src/database/migrate.ts`, its text in `web/src/i18n/locales/en/users.json` (`preferences`), and its use.
 */
const fields = {
  username: { value: text, change: name, changedBy: 'administrator', isConfirmed: true },
  password: {
    value: text,
    change: z.string().check(z.maxLength(1024)),
    changedBy: 'user',
    isConfirmed: true,
  },
  scope: {
    value: text,
    change: scope,
    changedBy: 'administrator',
    isConfirmed: true,
    option: { value: 'folder', description: 'the folder that the user sees, below the served one' },
  },
  locale: {
    value: text,
    change: Locale,
    inSettings: Locale,
    changedBy: 'user',
    initial: '',
    option: {
      value: 'code',
      description: 'language, such as en or pt-br (empty: the language of the browser)',
    },
  },
  lockPassword: {
    value: flag,
    change: flag,
    changedBy: 'administrator',
    isConfirmed: true,
    option: { description: 'the user cannot change the password' },
  },
  viewMode: {
    value: ViewMode,
    change: lenientChoice(viewModes, 'list'),
    changedBy: 'user',
    initial: 'list',
    option: { value: 'mode', description: viewModes.join(', ') },
  },
  singleClick: {
    value: flag,
    change: flag,
    changedBy: 'user',
    initial: false,
    option: { description: 'open with a single click' },
  },
  redirectAfterCopyMove: {
    value: flag,
    change: flag,
    changedBy: 'user',
    initial: false,
    isAddition: true,
    option: { description: 'open the destination after a copy or move' },
  },
  perm: { value: Permissions, change: PermissionsChange, changedBy: 'administrator', isConfirmed: true },
  commands: {
    value: z.array(text),
    change: commands,
    changedBy: 'administrator',
    isConfirmed: true,
    option: { value: 'names', description: 'commands that the user may run, separated by commas' },
  },
  sorting: {
    value: Sorting,
    change: SortingChange,
    changedBy: 'user',
    initial: { by: 'name', asc: false },
  },
  rules: { value: Rules, change: RulesChange, changedBy: 'administrator' },
  hideDotfiles: {
    value: flag,
    change: flag,
    changedBy: 'user',
    initial: false,
    option: { description: 'hide names that start with a dot' },
  },
  dateFormat: {
    value: flag,
    change: flag,
    changedBy: 'user',
    initial: false,
    option: { description: 'show exact dates' },
  },
  aceEditorTheme: {
    value: text,
    change: EditorTheme,
    inSettings: EditorTheme,
    changedBy: 'user',
    initial: '',
    isAddition: true,
    option: { value: 'name', description: 'theme of the editor' },
  },
  autoplay: {
    value: flag,
    change: flag,
    changedBy: 'user',
    initial: false,
    isAddition: true,
    option: { description: 'play music and videos as soon as they are opened' },
  },
  startOn: {
    value: StartPage,
    change: StartPage,
    changedBy: 'user',
    initial: 'files',
    choices: startPages,
    isAddition: true,
    option: { value: 'page', description: `first page after signing in: ${startPages.join(', ')}` },
  },
  /** Sent to administrators only. */
  awaitsScope: {
    value: flag,
    change: flag,
    changedBy: 'administrator',
    isConfirmed: true,
    option: { description: 'the user sees no files until this is switched off' },
  },
} as const satisfies Readonly<Record<string, UserFieldSpec>>;

type Fields = typeof fields;
/** A field of a user that `which` may contain (docs/reference/filebrowser-api.md §1.13). */
export type UserField = keyof Fields;
/** A field for the user's own convenience. */
export type Preference = {
  [Name in UserField]: Fields[Name] extends { readonly initial: unknown } ? Name : never;
}[UserField];
/** A preference that is on or off. */
export type SwitchPreference = {
  [Name in Preference]: Fields[Name]['initial'] extends boolean ? Name : never;
}[Preference];
/** A preference with a choice of values; see `choices`. */
export type ChoicePreference = {
  [Name in Preference]: Fields[Name] extends { readonly choices: readonly string[] } ? Name : never;
}[Preference];
/** A preference that clients of the API of File Browser 2.23 do not know. */
export type AddedPreference = {
  [Name in Preference]: Fields[Name] extends { readonly isAddition: true } ? Name : never;
}[Preference];

/** The values of the preferences of a user. */
export type Preferences = { [Name in Preference]: z.output<Fields[Name]['value']> };

export const userFields = Object.keys(fields) as UserField[];
const fieldsWith = (condition: (spec: UserFieldSpec) => boolean): UserField[] =>
  userFields.filter((field) => condition(fields[field]));

/** The fields that only an administrator may change. */
export const administratorFields: readonly UserField[] = fieldsWith(
  ({ changedBy }) => changedBy === 'administrator',
);
/** The fields whose change must be confirmed. */
export const confirmedFields: readonly UserField[] = fieldsWith(({ isConfirmed }) => isConfirmed === true);
export const preferences = fieldsWith(({ initial }) => initial !== undefined) as readonly Preference[];
export const switchPreferences = fieldsWith(
  ({ initial }) => typeof initial === 'boolean',
) as readonly SwitchPreference[];
export const choicePreferences = fieldsWith(
  ({ choices }) => choices !== undefined,
) as readonly ChoicePreference[];
/** Returns the values of a preference with a choice. */
export const choicesOf = <Name extends ChoicePreference>(name: Name): readonly Preferences[Name][] =>
  fields[name].choices;
export const addedPreferences = fieldsWith(
  ({ isAddition }) => isAddition === true,
) as readonly AddedPreference[];

/** The option of the command line for a field; undefined if it has none of its own. */
export const userFieldOption = (field: UserField): UserFieldSpec['option'] =>
  (fields[field] as UserFieldSpec).option;

/** Whether the preference is unknown to older clients. */
export const isAddedPreference = (name: Preference): name is AddedPreference =>
  (fields[name] as UserFieldSpec).isAddition === true;

/** The default preferences of a user. */
export const initialPreferences: Readonly<Preferences> = valuesOf((name) => fields[name].initial);

/** Returns the preferences with a value for each of them. */
function valuesOf(valueOf: (name: Preference) => unknown): Preferences {
  return Object.fromEntries(preferences.map((name) => [name, valueOf(name)])) as Preferences;
}

/** Returns the preferences that a record contains, such as those of a user. */
export const preferencesOf = (record: Preferences): Preferences => valuesOf((name) => record[name]);

/** Returns the preferences in `given`; for those that are missing, the value of `fallback`. */
export const preferencesOr = <Values extends Preferences = Preferences>(
  given: { readonly [Name in Preference]?: Values[Name] | undefined },
  fallback: (name: Preference) => unknown,
): Pick<Values, Preference> => valuesOf((name) => given[name] ?? fallback(name)) as Pick<Values, Preference>;

/** Returns an object with the values that `schemaOf` derives from the specifications of some fields. */
function shapeOf<Shape>(
  names: readonly UserField[],
  schemaOf: (spec: UserFieldSpec) => z.ZodMiniType,
): Shape {
  return Object.fromEntries(names.map((field) => [field, schemaOf(fields[field])])) as Shape;
}

/** All fields of a user but those that only administrators get. */
export const userShape = shapeOf<{ [Name in Exclude<UserField, 'awaitsScope'>]: Fields[Name]['value'] }>(
  userFields.filter((field) => field !== 'awaitsScope'),
  ({ value }) => value,
);

/** All fields that clients may send. */
export const userChangeShape = shapeOf<{ [Name in UserField]: z.ZodMiniOptional<Fields[Name]['change']> }>(
  userFields,
  ({ change }) => z.optional(change),
);

/** Preferences in the token, which an older version may have made: additions may be missing there. */
export const tokenPreferenceShape = shapeOf<{ [Name in Preference]: Fields[Name]['value'] }>(
  preferences,
  ({ value, isAddition, initial }) => (isAddition === true ? z._default(value, initial) : value),
);

type InSettings<Spec> = Spec extends { readonly inSettings: infer Schema extends z.ZodMiniType }
  ? Schema
  : Spec extends { readonly value: infer Schema extends z.ZodMiniType }
    ? Schema
    : never;

/** Preferences as defaults in the settings. */
export const defaultsShape = shapeOf<{ [Name in Preference]: z.ZodMiniDefault<InSettings<Fields[Name]>> }>(
  preferences,
  ({ value, inSettings, initial }) => z._default(inSettings ?? value, initial),
);

/** The same as sent by clients; older clients omit additions, which then keep their value. */
export const defaultsChangeShape = shapeOf<{
  [Name in Preference]: Name extends AddedPreference
    ? z.ZodMiniOptional<Fields[Name]['change']>
    : z.ZodMiniDefault<Fields[Name]['change']>;
}>(preferences, ({ change, isAddition, initial }) =>
  isAddition === true ? z.optional(change) : z._default(change, initial),
);

/** Returns a shape with the keys in `first` before the others, in the order that existing clients know. */
export const inOrder = <Shape extends object>(first: readonly (keyof Shape)[], shape: Shape): Shape =>
  ({ ...Object.fromEntries(first.map((key) => [key, shape[key]])), ...shape }) as Shape;
