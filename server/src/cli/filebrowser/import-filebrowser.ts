import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Config } from '../../config/config.ts';
import { openDatabase } from '../../database/open-database.ts';
import { backupPath } from '../backup-path.ts';
import { copyDatabase } from '../backups/copy-database.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf, knowsRoot } from '../common-options.ts';
import { storeConfig } from '../config/config-record.ts';
import { type OpenData, hasDatabase, isServerRunning, prepareDataFolder, withChanges } from '../open-data.ts';
import { writePrivateFile } from '../records/record-file.ts';
import { readSources, sourceNames } from './read-source.ts';
import { type ImportReport, type Reporter, openReporter, reportText } from './report.ts';
import { startFlags } from './start-line.ts';
import { importSettings } from './import-settings.ts';
import { type EntryLookup, importShares } from './import-shares.ts';
import { type ImportedUser, importUsers } from './import-users.ts';

type Source = Awaited<ReturnType<typeof readSources>>;

/** Returns a function that looks up shared paths on disk if the served folder is known. */
function openEntryLookup(config: Config, users: readonly ImportedUser[]): EntryLookup {
  const scopes = new Map(users.map(({ formerId, user }) => [formerId, user.scope]));
  return (ownerId, path: VirtualPath) => {
    const scope = scopes.get(ownerId);
    if (scope === undefined || !knowsRoot(config)) return Promise.resolve('unknown');
    const found = statSync(join(config.root, scope, path), { throwIfNoEntry: false });
    if (found === undefined) return Promise.resolve(null);
    return Promise.resolve(found.isDirectory() ? 'folder' : 'file');
  };
}

/**
 * Stores the users: first new ones, then replacements of users with equal names. Returns the new ids by the
 * former ones.
 */
async function storeUsers(
  { database }: OpenData,
  importedUsers: readonly ImportedUser[],
): Promise<{ ids: Map<number, number>; replaced: number }> {
  const { users, sessions } = database;
  const ids = new Map<number, number>();
  const replacements: { id: number; imported: ImportedUser }[] = [];
  for (const imported of importedUsers) {
    const existing = await users.findByName(imported.user.username);
    if (existing === null) ids.set(imported.formerId, (await users.create(imported.user)).id);
    else replacements.push({ id: existing.id, imported });
  }
  for (const { id, imported } of replacements) {
    await users.update(id, imported.user);
    await sessions.removeOfUser(id);
    ids.set(imported.formerId, id);
  }
  return { ids, replaced: replacements.length };
}

/** Imports everything that can be imported in one transaction. */
async function runImport(
  data: OpenData,
  source: Source,
  { overwrites, isDryRun, reporter }: { overwrites: boolean; isDryRun: boolean; reporter: Reporter },
): Promise<ImportReport['imported']> {
  const { database, config } = data;
  const existing = (await database.users.list()).length;
  if (existing > 0 && !overwrites) {
    const reason = `there ${existing === 1 ? 'is a user' : `are ${existing} users`} already; --overwrite continues: users of the same name and the settings are replaced, everything else is added`;
    if (!isDryRun) throw new CliError(reason);
    reporter.note('user', 'import', `requires --overwrite, because ${reason.split(';', 1)[0] ?? ''}`);
  }
  const users = await importUsers(source.users, reporter);
  const settings = await importSettings(source, reporter);
  const { ids, replaced } = await storeUsers(data, users);
  const shares = await importShares(source.links, {
    nowMs: Date.now(),
    owners: new Set(ids.keys()),
    lookUp: openEntryLookup(config, users),
    reporter,
  });
  for (const { formerOwnerId, share } of shares) {
    const userId = ids.get(formerOwnerId);
    if (userId === undefined) continue;
    await database.shares.remove(share.hash);
    await database.shares.create({ ...share, userId }, { maxPerUser: Number.POSITIVE_INFINITY });
  }
  if (settings !== null) await storeConfig(data, { ...settings, serverOptions: null });
  if (!(await database.users.list()).some(({ perm }) => perm.admin)) {
    reporter.note('user', 'nobody', 'is an administrator: filestead users update <name> --perm.admin');
  }
  const rules = [settings?.settings.rules ?? [], ...users.map(({ user }) => user.rules)].flat();
  if (rules.some(({ regex }) => !regex)) {
    reporter.note('rule', 'paths', 'match whole names here: a rule for /docs does not cover /docs2');
  }
  return {
    users: users.length,
    usersReplaced: replaced,
    links: shares.length,
    rules: rules.length,
    hasSettings: settings !== null,
  };
}

/**
 * Creates a copy of the database, or none if there is no database, for a dry run. It must be removed
 * afterwards.
 */
function createTrialCopy(config: Config): { config: Config; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'filestead-dry-run-'));
  const copy = join(folder, 'filestead.db');
  if (hasDatabase(config)) copyDatabase(config.database, copy);
  return {
    // Whether the served folder is known depends on the path of the real database.
    config: { ...config, database: copy, isRootChosen: knowsRoot(config) },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function backUp(config: Config): Promise<string | null> {
  if (!hasDatabase(config)) return null;
  const path = backupPath(config, 'before-import', 'db');
  const database = await openDatabase(config.database, {
    isShared: () => isServerRunning(config),
  });
  try {
    await database.backUp(path);
  } finally {
    await database.close();
  }
  return path;
}

/** `import-filebrowser`: imports databases and exports of File Browser. A dry run works on a copy. */
export async function importFileBrowser(call: CommandCall): Promise<void> {
  const { words, options, terminal } = call;
  const config = await configOf(call);
  const reporter = openReporter();
  const source = await readSources(terminal, words, reporter);
  const isDryRun = options.isOn('dryRun') ?? false;
  const overwrites = options.isOn('overwrite') ?? false;
  const trial = isDryRun ? createTrialCopy(config) : null;
  try {
    if (!isDryRun) prepareDataFolder(config);
    const backup = isDryRun || !overwrites ? null : await backUp(config);
    const imported = await withChanges(
      trial?.config ?? config,
      (data) => runImport(data, source, { overwrites, isDryRun, reporter }),
      { allowsMissingUsers: true },
    );
    const file = options.text('config');
    const configFile = file === undefined ? undefined : resolve(terminal.cwd, file);
    const flags = startFlags(source, config, { configFile, reporter });
    const report: ImportReport = {
      sources: sourceNames(words),
      isDryRun,
      imported,
      items: reporter.items,
      flags,
      backup,
    };
    const path = options.text('report');
    if (path !== undefined)
      writePrivateFile(resolve(terminal.cwd, path), `${JSON.stringify(report, null, 2)}\n`);
    terminal.print(reportText(report));
  } finally {
    trial?.remove();
  }
}
