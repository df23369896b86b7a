import type { CommandAction } from '../command.ts';
import type { CommandPath } from '../find-command.ts';
import type { StandalonePath } from './standalone-actions.ts';

/** Name of a command whose code is in the bundle of the server. */
export type BundledPath = Exclude<CommandPath, StandalonePath>;

/** Loads the code of each command in the bundle of the server. */
export const bundledActions: Readonly<Record<BundledPath, () => Promise<CommandAction>>> = {
  'config init': async () => (await import('../config/change-config.ts')).initConfig,
  'config set': async () => (await import('../config/change-config.ts')).setConfig,
  'config cat': async () => (await import('../config/change-config.ts')).showConfig,
  'config export': async () => (await import('../config/transfer-config.ts')).exportConfig,
  'config import': async () => (await import('../config/transfer-config.ts')).importConfig,
  'users add': async () => (await import('../users/add-user.ts')).addUser,
  'users update': async () => (await import('../users/update-user.ts')).updateUser,
  'users rm': async () => (await import('../users/list-users.ts')).removeUser,
  'users find': async () => (await import('../users/list-users.ts')).showUser,
  'users ls': async () => (await import('../users/list-users.ts')).listUsers,
  'users export': async () => (await import('../users/transfer-users.ts')).exportUsers,
  'users import': async () => (await import('../users/transfer-users.ts')).importUsers,
  'keys rotate': async () => (await import('../keys/rotate-keys.ts')).rotateKeys,
  backup: async () => (await import('../backups/make-backup.ts')).makeBackup,
  restore: async () => (await import('../backups/restore-backup.ts')).restoreBackup,
  'trash list': async () => (await import('../trash/list-trash.ts')).listTrash,
  'trash restore': async () => (await import('../trash/restore-trash.ts')).restoreTrash,
  'trash purge': async () => (await import('../trash/purge-trash.ts')).purgeTrash,
  'trash check': async () => (await import('../trash/check-stores.ts')).checkTrash,
  'trash rebuild': async () => (await import('../trash/check-stores.ts')).rebuildTrash,
  'trash stores': async () => (await import('../trash/check-stores.ts')).listStores,
  'trash adopt': async () => (await import('../trash/adopt-stores.ts')).adoptStores,
  'jobs list': async () => (await import('../jobs/list-jobs.ts')).listJobs,
  'jobs cancel': async () => (await import('../jobs/cancel-jobs.ts')).cancelJobs,
  'versions list': async () => (await import('../versions/list-versions.ts')).listVersions,
  'versions restore': async () => (await import('../versions/restore-version.ts')).restoreVersion,
  'rules add': async () => (await import('../rules/change-rules.ts')).addRule,
  'rules ls': async () => (await import('../rules/change-rules.ts')).listRules,
  'rules rm': async () => (await import('../rules/change-rules.ts')).removeRules,
  'cmds add': async () => (await import('../rules/change-hooks.ts')).addHook,
  'cmds ls': async () => (await import('../rules/change-hooks.ts')).listHooks,
  'cmds rm': async () => (await import('../rules/change-hooks.ts')).removeHooks,
  doctor: async () => (await import('../doctor/doctor.ts')).runDoctor,
  completion: async () => (await import('../completion.ts')).printCompletion,
  help: async () => (await import('../help.ts')).printHelp,
  hash: async () => (await import('../hash-password.ts')).printHash,
  'import-filebrowser': async () => (await import('../filebrowser/import-filebrowser.ts')).importFileBrowser,
};
