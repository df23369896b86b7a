import type { CommandSpec } from './command.ts';
import { dataOptions, listenOptions } from './common-options.ts';

/** Description of `healthcheck`. Here and not in the table of all commands, which loads the schemas of users and settings. */
export const healthcheckCommand: CommandSpec = {
  path: 'healthcheck',
  words: [],
  summary: 'Check whether the server is ready: exit status 0 if it is, 1 if it is not, 2 if nothing listens',
  options: [
    ...dataOptions,
    ...listenOptions,
    {
      name: 'wait',
      kind: 'text',
      value: 'seconds',
      description: 'maximum time to wait for the server to become ready',
    },
  ],
};

/** Description of `version`. */
export const versionCommand: CommandSpec = {
  path: 'version',
  words: [],
  summary: 'Print the version; with --check, ask whether there is a newer one',
  options: [
    { name: 'check', kind: 'switch', description: 'ask for the newest version; nothing is installed' },
    {
      name: 'from',
      kind: 'text',
      value: 'address',
      description: 'a JSON document with “version” or “tag_name” (default: that of the project)',
    },
  ],
};
