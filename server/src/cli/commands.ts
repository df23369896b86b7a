import { type CliOption, type CommandSpec } from './command.ts';
import { dataOptions, listenOptions, locationOptions, newInstallationOption } from './common-options.ts';
import { configOptions } from './config/config-options.ts';
import type { CommandPath } from './find-command.ts';
import { healthcheckCommand, versionCommand } from './standalone-commands.ts';
import { userOptions } from './users/user-options.ts';

const ruleOwnerOptions: readonly CliOption[] = [
  { name: 'username', short: 'u', kind: 'text', value: 'name', description: 'use the rules of this user' },
  {
    name: 'id',
    short: 'i',
    kind: 'text',
    value: 'number',
    description: 'use the rules of the user with this id',
  },
];
const trashFilters: readonly CliOption[] = [
  { name: 'below', kind: 'text', value: 'folder', description: 'only entries that were below this folder' },
  {
    name: 'user',
    short: 'u',
    kind: 'text',
    value: 'name',
    description: 'only entries that this user deleted',
  },
];
const indexOption: CliOption = {
  name: 'index',
  kind: 'text',
  value: 'number',
  description: 'accepted for compatibility and ignored',
  isHidden: true,
};

const command = (
  path: CommandPath,
  words: readonly string[],
  summary: string,
  options: readonly CliOption[],
): CommandSpec => ({ path, words, summary, options });

/** All commands in the order of the help. */
export const commands: readonly CommandSpec[] = [
  command('config init', [], 'Create a new database without users', [
    ...locationOptions,
    newInstallationOption,
    ...configOptions,
  ]),
  command('config set', [], 'Change settings', [...locationOptions, ...configOptions]),
  command('config cat', [], 'Print the configuration', dataOptions),
  command('config export', ['<file>'], 'Write the configuration to a JSON or YAML file', dataOptions),
  command('config import', ['<file>'], 'Read the configuration from a JSON or YAML file', [
    ...dataOptions,
    newInstallationOption,
  ]),
  command('users add', ['<name>', '[password]'], 'Create a user; prompts for a password that is not given', [
    ...dataOptions,
    ...userOptions,
  ]),
  command('users update', ['<id-or-name>'], 'Change a user', [
    ...dataOptions,
    {
      name: 'password',
      short: 'p',
      kind: 'optional',
      value: 'text',
      description: 'new password; prompts for one without a value',
    },
    { name: 'username', short: 'u', kind: 'text', value: 'name', description: 'new username' },
    ...userOptions,
  ]),
  command('users rm', ['<id-or-name>'], 'Remove a user, but not their files', dataOptions),
  command('users find', ['<id-or-name>'], 'Show one user', dataOptions),
  command('users ls', [], 'Show all users', dataOptions),
  command('users export', ['<file>'], 'Write all users to a JSON or YAML file', dataOptions),
  command('users import', ['<file>'], 'Read users from a JSON or YAML file', [
    ...dataOptions,
    {
      name: 'overwrite',
      kind: 'switch',
      description: 'replace users that have the same id',
    },
    {
      name: 'replace',
      kind: 'switch',
      description: 'replace all users; they are saved to a file first',
    },
  ]),
  command('keys rotate', [], 'Replace the server’s keys, and end all sessions', [
    ...dataOptions,
    {
      name: 'keepSessions',
      kind: 'switch',
      description:
        'let users stay signed in: their tokens are valid by their stored hashes, whichever key signed them',
    },
  ]),
  command('backup', [], 'Save users, links, settings and keys to an archive, without users’ files', [
    ...dataOptions,
    {
      name: 'to',
      kind: 'text',
      value: 'file',
      description: 'a file, a folder, or - for standard output (default: beside the database)',
    },
    { name: 'force', kind: 'switch', description: 'replace an existing file' },
    {
      name: 'keep',
      kind: 'text',
      value: 'number',
      description: 'number of backups to keep in the folder; older ones are removed',
    },
  ]),
  command(
    'restore',
    ['<file>'],
    'Replace the database with a backup; the old one is kept; the server must be stopped',
    [
      ...dataOptions,
      { name: 'dryRun', kind: 'switch', description: 'check the backup and change nothing' },
      { name: 'signOut', kind: 'switch', description: 'end all sessions that the backup contains' },
    ],
  ),
  command('trash list', [], 'Show deleted entries, the latest deletion first', [
    ...dataOptions,
    ...trashFilters,
  ]),
  command('trash restore', ['<id...>'], 'Restore deleted entries, with or without a running server', [
    ...dataOptions,
    {
      name: 'to',
      kind: 'text',
      value: 'folder',
      description: 'a folder in the served one (default: the place of each entry)',
    },
  ]),
  command(
    'trash purge',
    ['[id...]'],
    'Delete entries of the trash forever; prints which ones unless --yes is given',
    [
      ...dataOptions,
      ...trashFilters,
      {
        name: 'olderThan',
        kind: 'text',
        value: 'time',
        description: 'only entries that were deleted before, such as 2026-11-01',
      },
      { name: 'all', kind: 'switch', description: 'all entries' },
      { name: 'yes', kind: 'switch', description: 'delete instead of printing' },
    ],
  ),
  command(
    'trash check',
    [],
    'Compare the stores of deleted entries with their records and the index',
    dataOptions,
  ),
  command(
    'trash rebuild',
    [],
    'Rebuild the index of deleted entries from the disks; the server must be stopped',
    dataOptions,
  ),
  command(
    'trash stores',
    [],
    'Show where deleted entries are kept, and how much space they use',
    dataOptions,
  ),
  command(
    'trash adopt',
    ['[folder...]'],
    'Take over stores that were moved or belong to another installation; prints which ones unless --yes is given',
    [
      ...dataOptions,
      {
        name: 'sameUsers',
        kind: 'switch',
        description: 'the ids of users are the same, because the accounts were restored from a backup',
      },
      { name: 'yes', kind: 'switch', description: 'take over instead of printing' },
    ],
  ),
  command('jobs list', [], 'Show the jobs of all users, the newest first', [
    ...dataOptions,
    { name: 'unfinished', kind: 'switch', description: 'only jobs that have not ended' },
  ]),
  command(
    'jobs cancel',
    ['<id...>'],
    'Cancel jobs; a running server does so within seconds, and a stopped one when it starts',
    dataOptions,
  ),
  command('versions list', ['<path>'], 'Show the versions of a file, the latest first', [...dataOptions]),
  command('versions restore', ['<id>'], 'Restore a version of a file, with or without a running server', [
    ...dataOptions,
    {
      name: 'to',
      kind: 'text',
      value: 'path',
      description:
        'a new file in the served folder (default: the file itself, whose state becomes a version)',
    },
  ]),
  command(
    'rules add',
    ['<path-or-pattern>'],
    'Add a rule that denies a path for everybody, unless options change that',
    [
      ...dataOptions,
      ...ruleOwnerOptions,
      { name: 'allow', short: 'a', kind: 'switch', description: 'allow instead of deny' },
      {
        name: 'regex',
        short: 'r',
        kind: 'switch',
        description: 'use a regular expression instead of a path',
      },
    ],
  ),
  command('rules ls', [], 'Show rules with their indexes', [...dataOptions, ...ruleOwnerOptions]),
  command('rules rm', ['<index>', '[end]'], 'Remove one rule, or all from index to end', [
    ...dataOptions,
    ...ruleOwnerOptions,
    indexOption,
  ]),
  command(
    'cmds add',
    ['<event>', '<command...>'],
    'Add a command to an event; put “--” before a command with options',
    dataOptions,
  ),
  command('cmds ls', [], 'Show the commands of events with their indexes', [
    ...dataOptions,
    { name: 'event', short: 'e', kind: 'text', value: 'name', description: 'show only this event' },
  ]),
  command(
    'cmds rm',
    ['<event>', '<index>', '[end]'],
    'Remove one command of an event, or all from index to end',
    [...dataOptions, indexOption],
  ),
  healthcheckCommand,
  command(
    'doctor',
    [],
    'Check configuration, disks, database and programs: exit status 0 without problems, 1 with warnings, 2 with errors',
    [
      ...dataOptions,
      ...listenOptions,
      { name: 'json', kind: 'switch', description: 'print the findings as JSON' },
      {
        name: 'url',
        kind: 'text',
        value: 'address',
        description: 'also send a request through the reverse proxy at this public address of the server',
      },
    ],
  ),
  command(
    'hash',
    ['[password]'],
    'Print the hash of a password; prompts for a password that is not given',
    [],
  ),
  command('import-filebrowser', ['<file...>'], 'Import users, settings and links from File Browser', [
    ...dataOptions,
    newInstallationOption,
    { name: 'dryRun', kind: 'switch', description: 'print the changes without making them' },
    {
      name: 'report',
      kind: 'text',
      value: 'file',
      description: 'also write the report as JSON to this file',
    },
    {
      name: 'overwrite',
      kind: 'switch',
      description: 'import even if there are users, and replace those with the same username',
    },
  ]),
  versionCommand,
  command('completion', ['<shell>'], 'Print the completion script for bash, zsh, fish or powershell', []),
  command('help', ['[command...]'], 'Explain a command', []),
];
