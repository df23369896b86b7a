import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option as FlagOption } from 'commander';
import { normalizeFlags } from './flag-arguments.ts';
import { ConfigError } from './config-error.ts';
import { isIgnored, optionNamed, variableName } from './option-names.ts';
import { type OptionName, options } from './options.ts';
import { version } from '../version.ts';

/** Sources of the configuration. */
export interface ConfigSources {
  /** Arguments after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths refer to. */
  readonly cwd: string;
  readonly home: string;
  /** Returns the options stored in the database at this path; none by default. */
  readonly readStored?: (database: string) => Record<string, string>;
}

/** The unparsed value of an option and its origin, for messages. */
export interface GivenValue {
  readonly text: string;
  readonly source: string;
}
/** The given options by name. */
export type GivenValues = Partial<Record<OptionName, GivenValue>>;

/** Values of the flags and the folder argument, and the given configuration file. */
interface GivenFlags {
  readonly given: GivenValues;
  readonly file: string | undefined;
}

/**
 * Returns the folder given without `--root`; undefined if there is none. Throws {@link ConfigError} for
 * several arguments and for one that is not a folder.
 */
function folderOf(folders: readonly string[], cwd: string): string | undefined {
  const [folder, other] = folders;
  if (folder === undefined) return undefined;
  const found = folder === '' ? undefined : statSync(resolve(cwd, folder), { throwIfNoEntry: false });
  const help = 'see: filestead help';
  if (found === undefined) throw new ConfigError(`there is no command and no folder “${folder}”; ${help}`);
  if (!found.isDirectory()) throw new ConfigError(`“${folder}” is a file; give the folder to serve; ${help}`);
  if (other !== undefined) {
    throw new ConfigError(`one folder can be served, not both “${folder}” and “${other}”; ${help}`);
  }
  return folder;
}

/**
 * Reads flags and the folder argument. Throws {@link ConfigError} for a wrong folder, and the errors of
 * `commander` after printing.
 */
export function fromFlags({ args, cwd }: Pick<ConfigSources, 'args' | 'cwd'>): GivenFlags {
  const command = new Command('filestead')
    .description('Serves a folder as a web file manager.')
    .version(version, '--version', 'print the version')
    .option('-c, --config <file>', 'configuration file, YAML or JSON')
    .argument('[folder]', 'the folder to serve; the same as --root')
    .allowExcessArguments(true)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'filestead: ')),
    })
    .addHelpText(
      'after',
      '\nFilestead also has commands, which do not start the server; “filestead help” lists them.' +
        '\n\nEvery option can also be given in the environment (FILESTEAD_BASE_URL or FB_BASE_URL for --baseURL) and in the' +
        '\nconfiguration file (baseURL). Flags override the environment, which overrides the file. Without --config' +
        '\nthe first .filestead.{yaml,yml,json} or .filebrowser.{yaml,yml,json} is read that is found in the current folder,' +
        '\nthe home folder or /etc/filestead.',
    );
  for (const { name, short, value, description, fallback } of options) {
    const flags = `${short === undefined ? '' : `-${short}, `}--${name} ${value === undefined ? '[on|off]' : `<${value}>`}`;
    const note = fallback === '' ? '' : ` (default: ${fallback})`;
    command.addOption(new FlagOption(flags, `${description}${note}`));
  }
  command.parse(normalizeFlags(args), { from: 'user' });
  const found: Record<string, unknown> = command.opts();
  const given: GivenValues = {};
  for (const { name } of options) {
    const value = found[name];
    if (value !== undefined)
      given[name] = { text: value === true ? 'on' : String(value), source: `--${name}` };
  }
  const folder = folderOf(command.args, cwd);
  if (folder !== undefined) {
    if (given.root !== undefined) {
      throw new ConfigError(`give the folder once: “${folder}” or --root, not both`);
    }
    given.root = { text: folder, source: `“${folder}”` };
  }
  return { given, file: typeof found.config === 'string' ? found.config : undefined };
}

/** Reads variables; ours override those of File Browser. */
export function fromEnvironment(env: ConfigSources['env']): GivenValues {
  const given: GivenValues = {};
  for (const { name, alias } of options) {
    const spellings = [name, alias ?? name];
    const names = ['FILESTEAD_', 'FB_'].flatMap((prefix) =>
      spellings.flatMap((text) => [`${prefix}${variableName(text)}`, `${prefix}${text.toUpperCase()}`]),
    );
    const source = names.find((variable) => (env[variable] ?? '') !== '');
    if (source !== undefined) given[name] = { text: env[source] ?? '', source };
  }
  return given;
}

/** Default paths of the configuration file, in this order. */
export function defaultFiles({ cwd, home }: ConfigSources): string[] {
  const names = ['.filestead', '.filebrowser'].flatMap((stem) =>
    ['yaml', 'yml', 'json'].map((ending) => `${stem}.${ending}`),
  );
  return [cwd, home, '/etc/filestead'].flatMap((folder) => names.map((name) => join(folder, name)));
}

/** Returns the default configuration file that exists. */
export const findFile = (sources: ConfigSources): string | undefined =>
  defaultFiles(sources).find((path) => existsSync(path));

/** Flattens an object; members of a nested object get both names, such as `auth.method`. */
const flatEntries = (content: object): [string, unknown][] =>
  Object.entries(content).flatMap(([key, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatEntries(value).map(([name, inner]) => [`${key}.${name}`, inner])
      : [[key, value]],
  );

/** Options with octal values. */
const octalNames: ReadonlySet<OptionName> = new Set(
  options.filter(({ value }) => value === 'octal').map(({ name }) => name),
);
/** Options that can be stored in the database. */
const storableNames: ReadonlySet<OptionName> = new Set(
  options.filter(({ isStorable }) => isStorable !== false).map(({ name }) => name),
);

/** Returns the text of a configuration file. Throws {@link ConfigError} for a folder, system errors otherwise. */
function readText(path: string): string {
  // Reading a folder fails with an error that does not name it.
  if (statSync(path).isDirectory()) throw new ConfigError(`${path}: a file is needed, and this is a folder`);
  return readFileSync(path, 'utf8');
}

/** Reads a configuration file. Throws {@link ConfigError} for its content, system errors if it cannot be read. */
export async function fromFile(path: string | undefined): Promise<GivenValues> {
  if (path === undefined) return {};
  const { parseYaml } = await import('./yaml.ts');
  const text = readText(path);
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    // The first line contains the position of the error; an excerpt of the file follows.
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new ConfigError(`${path}: ${reason.replace(/:$/, '')}`, { cause: error });
  }
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content))
    throw new ConfigError(`${path}: expected names with values`);
  const given: GivenValues = {};
  for (const [key, value] of flatEntries(content)) {
    const name = optionNamed(key);
    if (name === undefined) {
      if (isIgnored(key)) continue;
      throw new ConfigError(`${path}: there is no option “${key}”`);
    }
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
    if (value === null || !isPlain) throw new ConfigError(`${path}: ${key}: expected a plain value`);
    // YAML may parse 0660 as a number; permission bits are octal.
    const text = octalNames.has(name) && typeof value === 'number' ? value.toString(8) : String(value);
    given[name] = { text, source: `${path}: ${key}` };
  }
  return given;
}

/** Reads the options stored in the database; names unknown to this version are ignored. */
export function fromStored(stored: Readonly<Record<string, string>>): GivenValues {
  const given: GivenValues = {};
  for (const [key, text] of Object.entries(stored)) {
    const name = optionNamed(key);
    if (name !== undefined && storableNames.has(name))
      given[name] = { text, source: `the database: ${name}` };
  }
  return given;
}
