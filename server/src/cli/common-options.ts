import { type Config, readConfig } from '../config/config.ts';
import { readStoredOptions } from '../database/read-stored-options.ts';
import type { CliOption, CommandCall } from './command.ts';

/** Options for the location of the data, the same as those of the server. */
export const placeOptions: readonly CliOption[] = [
  {
    name: 'database',
    short: 'd',
    kind: 'text',
    value: 'file',
    description: 'the database (default: filestead.db in the data folder)',
  },
  {
    name: 'data',
    kind: 'text',
    value: 'folder',
    description: 'the data folder (default: .filestead in the served folder)',
  },
  { name: 'config', short: 'c', kind: 'text', value: 'file', description: 'configuration file' },
];

/** Option of commands that can create a database. */
export const newInstallationOption: CliOption = {
  name: 'newInstallation',
  kind: 'switch',
  description: 'begin anew although the data folder was in use and its database is gone',
};

/** Option of commands that use the served folder without storing its path. */
export const rootOption: CliOption = {
  name: 'root',
  kind: 'text',
  value: 'folder',
  description: 'the folder that is served (default: the current folder)',
};

/** Options for the server's address, the same as those of the server. */
export const listenOptions: readonly CliOption[] = [
  { name: 'address', short: 'a', kind: 'text', value: 'address', description: 'the address of the server' },
  { name: 'port', short: 'p', kind: 'text', value: 'number', description: 'the port of the server' },
  {
    name: 'baseURL',
    short: 'b',
    kind: 'text',
    value: 'path',
    description: 'the path below which it is shown',
  },
  { name: 'socket', kind: 'text', value: 'file', description: 'the Unix socket of the server' },
  { name: 'cert', short: 't', kind: 'text', value: 'file', description: 'the TLS certificate of the server' },
  { name: 'key', short: 'k', kind: 'text', value: 'file', description: 'the TLS key of the server' },
];

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
