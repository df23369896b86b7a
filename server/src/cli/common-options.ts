import { type Config, readConfig } from '../config/config.ts';
import type { Option } from '../config/option.ts';
import { optionTable } from '../config/options.ts';
import { readStoredOptions } from '../database/read-stored-options.ts';
import type { CliOption, CommandCall } from './command.ts';

/** Returns the option of the command line for an option of the server. */
export function flagOf({ name, short, value, description }: Option): CliOption {
  const flag: CliOption =
    value === undefined ? { name, kind: 'switch', description } : { name, kind: 'text', value, description };
  return short === undefined ? flag : { ...flag, short };
}

/** Options for the location of the data, the same as those of the server. */
export const locationOptions: readonly CliOption[] = [
  flagOf(optionTable.database),
  flagOf(optionTable.data),
  { name: 'config', short: 'c', kind: 'text', value: 'file', description: 'configuration file' },
];

/** Option of commands that can create a database. */
export const newInstallationOption: CliOption = flagOf(optionTable.isNewInstallation);

/** Option of commands that use the served folder without storing its path. */
export const rootOption: CliOption = {
  name: 'root',
  kind: 'text',
  value: 'folder',
  description: 'the folder to serve (default: the current folder)',
};

/** Options of commands that use the data of an installation. */
export const dataOptions: readonly CliOption[] = [...locationOptions, rootOption];

/** Options for the server's address, the same as those of the server. */
export const listenOptions: readonly CliOption[] = (
  ['address', 'port', 'baseUrl', 'socket', 'certFile', 'keyFile'] as const
).map((key) => flagOf(optionTable[key]));

/** Sources from which a command reads the configuration. */
export interface ConfigLookup {
  /** Names of the options that are passed on to the configuration. */
  readonly flags?: readonly string[];
  readonly readStored?: (database: string) => Record<string, string>;
}

/** Reads the configuration like the server. Throws `ConfigError`. */
export function configOf(
  { options, terminal }: Pick<CommandCall, 'options' | 'terminal'>,
  {
    flags = ['database', 'data', 'config', 'root', 'newInstallation'],
    readStored = readStoredOptions,
  }: ConfigLookup = {},
): Promise<Config> {
  const { env, cwd, home } = terminal;
  const args = flags.flatMap((name) => {
    const value = options.text(name);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  return readConfig({ args, env, cwd, home, readStored });
}

/**
 * Whether the served folder is known, because it was given or contains the database. The root of the file system contains every
 * database, and is the current folder of many services and scripts.
 */
export const knowsRoot = ({ isRootChosen, database, root }: Config): boolean =>
  isRootChosen || (root !== '/' && database.startsWith(`${root}/`));
