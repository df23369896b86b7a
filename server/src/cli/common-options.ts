import { type Config, readConfig } from '../config/config.ts';
import { readStoredOptions } from '../database/read-stored-options.ts';
import type { CliOption, CommandCall } from './command.ts';

/** What says where the data is; the same as for the server. */
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

/** For commands that can make a database. */
export const newInstallationOption: CliOption = {
  name: 'newInstallation',
  kind: 'switch',
  description: 'begin anew although the data folder was in use and its database is gone',
};

/** For commands that work in the served folder and do not store where it is. */
export const rootOption: CliOption = {
  name: 'root',
  kind: 'text',
  value: 'folder',
  description: 'the folder that is served (default: the current folder)',
};

/** Where the server listens; the same options as for the server. */
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

/** Where a command looks for what is configured. */
export interface ConfigLookup {
  /** Options that say where the data is. */
  readonly flags?: readonly string[];
  readonly readStored?: (database: string) => Record<string, string>;
}

/** Where the data is, and all else that is configured, as the server would read it. Throws `ConfigError`. */
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
