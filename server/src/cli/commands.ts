import { type CliOption, type CommandAction, type CommandSpec } from './command.ts';
import { listenOptions, newInstallationOption, placeOptions, rootOption } from './common-options.ts';
import { configOptions } from './config/config-options.ts';
import type { CommandPath } from './find-command.ts';
import { userOptions } from './users/user-options.ts';

const dataOptions: readonly CliOption[] = [...placeOptions, rootOption];

const ruleOwnerOptions: readonly CliOption[] = [
  { name: 'username', short: 'u', kind: 'text', value: 'name', description: 'the rules of this user' },
  {
    name: 'id',
    short: 'i',
    kind: 'text',
    value: 'number',
    description: 'the rules of the user with this id',
  },
];
const indexOption: CliOption = {
  name: 'index',
  kind: 'text',
  value: 'number',
  description: 'has no meaning here',
  isHidden: true,
};

const command = (
  path: CommandPath,
  words: readonly string[],
  summary: string,
  options: readonly CliOption[],
  load: () => Promise<CommandAction>,
): CommandSpec => ({ path, words, summary, options, load });

/** All commands in the order of the help. */
export const commands: readonly CommandSpec[] = [
  command(
    'config init',
    [],
    'Make a new database, without users',
    [...placeOptions, newInstallationOption, ...configOptions],
    async () => (await import('./config/change-config.ts')).initConfig,
  ),
  command(
    'config set',
    [],
    'Change the settings that are given',
    [...placeOptions, ...configOptions],
    async () => (await import('./config/change-config.ts')).setConfig,
  ),
  command(
    'config cat',
    [],
    'Print the configuration',
    dataOptions,
    async () => (await import('./config/change-config.ts')).showConfig,
  ),
  command(
    'config export',
    ['<file>'],
    'Write the configuration to a JSON or YAML file',
    dataOptions,
    async () => (await import('./config/transfer-config.ts')).exportConfig,
  ),
  command(
    'config import',
    ['<file>'],
    'Take the configuration from a JSON or YAML file',
    [...dataOptions, newInstallationOption],
    async () => (await import('./config/transfer-config.ts')).importConfig,
  ),
  command(
    'users add',
    ['<name>', '[password]'],
    'Make a user; without a password it is asked for',
    [...dataOptions, ...userOptions],
    async () => (await import('./users/add-user.ts')).addUser,
  ),
  command(
    'users update',
    ['<id-or-name>'],
    'Change what is given of a user',
    [
      ...dataOptions,
      {
        name: 'password',
        short: 'p',
        kind: 'optional',
        value: 'text',
        description: 'a new password; without a value it is asked for',
      },
      { name: 'username', short: 'u', kind: 'text', value: 'name', description: 'a new name' },
      ...userOptions,
    ],
    async () => (await import('./users/update-user.ts')).updateUser,
  ),
  command(
    'users rm',
    ['<id-or-name>'],
    'Remove a user; the files stay',
    dataOptions,
    async () => (await import('./users/list-users.ts')).removeUser,
  ),
  command(
    'users find',
    ['<id-or-name>'],
    'Show one user',
    dataOptions,
    async () => (await import('./users/list-users.ts')).showUser,
  ),
  command(
    'users ls',
    [],
    'Show all users',
    dataOptions,
    async () => (await import('./users/list-users.ts')).listUsers,
  ),
  command(
    'users export',
    ['<file>'],
    'Write all users to a JSON or YAML file',
    dataOptions,
    async () => (await import('./users/transfer-users.ts')).exportUsers,
  ),
  command(
    'users import',
    ['<file>'],
    'Take users from a JSON or YAML file',
    [
      ...dataOptions,
      {
        name: 'overwrite',
        kind: 'switch',
        description: 'put users of the file in the place of those with their ids',
      },
      {
        name: 'replace',
        kind: 'switch',
        description: 'put the file in the place of all users, who are saved first',
      },
    ],
    async () => (await import('./users/transfer-users.ts')).importUsers,
  ),
  command(
    'keys rotate',
    [],
    'Put new keys in the place of the server’s keys, and end all sessions',
    dataOptions,
    async () => (await import('./keys/rotate-keys.ts')).rotateKeys,
  ),
  command(
    'backup',
    [],
    'Save users, links, settings and keys into one archive; users’ files are not in it',
    [
      ...dataOptions,
      {
        name: 'to',
        kind: 'text',
        value: 'file',
        description: 'a file, a folder, or - for the standard output (default: beside the database)',
      },
      { name: 'force', kind: 'switch', description: 'replace a file that exists' },
      {
        name: 'keep',
        kind: 'text',
        value: 'number',
        description: 'remove older backups of the same folder until so many are left',
      },
    ],
    async () => (await import('./backups/make-backup.ts')).makeBackup,
  ),
  command(
    'restore',
    ['<file>'],
    'Put a backup in the place of the database, which is kept; no server may run',
    [
      ...dataOptions,
      { name: 'dryRun', kind: 'switch', description: 'check the backup and change nothing' },
      { name: 'signOut', kind: 'switch', description: 'end all sessions that the backup contains' },
    ],
    async () => (await import('./backups/restore-backup.ts')).restoreBackup,
  ),
  command(
    'rules add',
    ['<path-or-pattern>'],
    'Deny a path for everybody, unless options say otherwise',
    [
      ...dataOptions,
      ...ruleOwnerOptions,
      { name: 'allow', short: 'a', kind: 'switch', description: 'allow instead of deny' },
      { name: 'regex', short: 'r', kind: 'switch', description: 'a regular expression instead of a path' },
    ],
    async () => (await import('./rules/change-rules.ts')).addRule,
  ),
  command(
    'rules ls',
    [],
    'Show rules with their numbers',
    [...dataOptions, ...ruleOwnerOptions],
    async () => (await import('./rules/change-rules.ts')).listRules,
  ),
  command(
    'rules rm',
    ['<index>', '[end]'],
    'Remove one rule, or all from index to end',
    [...dataOptions, ...ruleOwnerOptions, indexOption],
    async () => (await import('./rules/change-rules.ts')).removeRules,
  ),
  command(
    'cmds add',
    ['<event>', '<command...>'],
    'Run a command at an event; put “--” before one that has options of its own',
    dataOptions,
    async () => (await import('./rules/change-hooks.ts')).addHook,
  ),
  command(
    'cmds ls',
    [],
    'Show the commands of events with their numbers',
    [
      ...dataOptions,
      { name: 'event', short: 'e', kind: 'text', value: 'name', description: 'one event only' },
    ],
    async () => (await import('./rules/change-hooks.ts')).listHooks,
  ),
  command(
    'cmds rm',
    ['<event>', '<index>', '[end]'],
    'Remove one command of an event, or all from index to end',
    [...dataOptions, indexOption],
    async () => (await import('./rules/change-hooks.ts')).removeHooks,
  ),
  command(
    'healthcheck',
    [],
    'Tell whether the server is ready: exit status 0, or 1 when it is not, or 2 when nothing listens',
    [
      ...dataOptions,
      ...listenOptions,
      {
        name: 'wait',
        kind: 'text',
        value: 'seconds',
        description: 'wait for the server to become ready for at most this time',
      },
    ],
    async () => (await import('./health/check-health.ts')).checkHealth,
  ),
  command(
    'hash',
    ['[password]'],
    'Print the hash of a password; without one it is asked for',
    [],
    async () => (await import('./hash-password.ts')).printHash,
  ),
  command(
    'import-filebrowser',
    ['<file...>'],
    'Take over users, settings and links of File Browser',
    [
      ...dataOptions,
      newInstallationOption,
      { name: 'dryRun', kind: 'switch', description: 'change nothing; print what would be done' },
      { name: 'report', kind: 'text', value: 'file', description: 'write the report as JSON too' },
      {
        name: 'overwrite',
        kind: 'switch',
        description: 'go ahead where there are users already, replacing those of the same name',
      },
    ],
    async () => (await import('./filebrowser/import-filebrowser.ts')).importFileBrowser,
  ),
  command('version', [], 'Print the version', [], async () => (await import('./help.ts')).printVersion),
  command(
    'completion',
    ['<shell>'],
    'Print the completion for bash, zsh, fish or powershell',
    [],
    async () => (await import('./completion.ts')).printCompletion,
  ),
  command(
    'help',
    ['[command...]'],
    'Explain a command',
    [],
    async () => (await import('./help.ts')).printHelp,
  ),
];
