import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { Config } from '../../config/config.ts';
import { adoptOwner, adoptTree, makePrivateFolder } from '../../database/adopt-owner.ts';
import { backupFolderOf, timeInName } from '../../database/database-file.ts';
import { markInstallation } from '../../database/installation.ts';
import { knownSteps } from '../../database/migrate.ts';
import { isErrno } from '../../storage/disk/paths/syscalls.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf } from '../common-options.ts';
import { countOf } from '../count-of.ts';
import { lockDataFolder } from '../open-data.ts';
import {
  backupLimits,
  brandingPrefix,
  databaseName,
  hashFile,
  isBackupName,
  Manifest,
  manifestName,
} from './manifest.ts';
import { examineCopy, withCopy } from './read-backup.ts';
import { unpackTar } from './tar.ts';
import { workPrefix } from './unfinished-backups.ts';

/** Unpacks a backup into `folder` and returns the names of its files. */
async function unpack(file: string, folder: string): Promise<string[]> {
  mkdirSync(join(folder, brandingPrefix, 'img'), { recursive: true, mode: 0o700 });
  // Images of a branding folder may be in subfolders.
  const accepts = (name: string): boolean => {
    if (!isBackupName(name)) return false;
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    return true;
  };
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    return await unpackTar(gunzip, folder, { ...backupLimits, accepts });
  } catch (error) {
    if (isErrno(error, 'ENOSPC', 'EDQUOT')) throw new CliError('the disk is full', { cause: error });
    if (isErrno(error, 'ENOENT', 'EACCES')) throw new CliError('it cannot be read', { cause: error });
    if (error instanceof CliError) throw error;
    throw new CliError('it is damaged, or not a backup of Filestead', { cause: error });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function readManifest(folder: string, names: readonly string[]): Manifest {
  if (!names.includes(manifestName)) throw new CliError('it is not a backup of Filestead');
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, manifestName), 'utf8')));
  } catch (error) {
    throw new CliError('its manifest is damaged, or of a newer version of Filestead', { cause: error });
  }
}

/** Checks the unpacked files against the manifest, and that this version can open the database. */
async function verify(folder: string, names: readonly string[]): Promise<Manifest> {
  const manifest = readManifest(folder, names);
  const listed = new Set(manifest.files.map(({ name }) => name));
  const foreign = names.find((name) => name !== manifestName && !listed.has(name));
  if (foreign !== undefined) throw new CliError(`its manifest does not name ${foreign}`);
  if (!listed.has(databaseName)) throw new CliError('it contains no database');
  for (const { name, size, sha256 } of manifest.files) {
    const path = join(folder, name);
    const isWhole = names.includes(name) && statSync(path).size === size && (await hashFile(path)) === sha256;
    if (!isWhole) throw new CliError(`${name} in it is missing or damaged`);
  }
  const { schema } = examineCopy(join(folder, databaseName));
  if (JSON.stringify(schema) !== JSON.stringify(manifest.schema))
    throw new CliError('its manifest is damaged');
  const newer = schema.find((step) => !knownSteps.includes(step));
  if (newer !== undefined) {
    throw new CliError(
      `it was created by version ${manifest.version} of Filestead, which is newer than this one (it contains the migration “${newer}”)`,
    );
  }
  return manifest;
}

/** Unpacks and checks a backup. Throws {@link CliError} with the reason if it cannot be used. */
const open = async (file: string, folder: string): Promise<Manifest> =>
  verify(folder, await unpack(file, folder));

const suffixes = ['', '-wal', '-shm', '-journal'] as const;

/** Whether a branding folder can be moved to `target`, because it contains no other part of the installation. */
function canContainBranding(target: string, { database, cache }: Config): boolean {
  const hasOtherParts = [backupFolderOf(database), database, cache].some((path) =>
    `${path}/`.startsWith(`${target}/`),
  );
  const found = statSync(target, { throwIfNoEntry: false });
  return !hasOtherParts && (found === undefined || found.isDirectory());
}

/**
 * Replaces the installation with the unpacked files and moves the existing ones to `savedFolder`; reverts everything
 * on failure.
 */
function replace(config: Config, folder: string, { branding }: Manifest, savedFolder: string): void {
  const { data, database } = config;
  const moved: [string, string][] = [];
  const move = (from: string, to: string): void => {
    makePrivateFolder(dirname(to));
    renameSync(from, to);
    moved.push([from, to]);
  };
  try {
    for (const suffix of suffixes) {
      const path = `${database}${suffix}`;
      if (existsSync(path)) move(path, join(savedFolder, basename(path)));
    }
    if (branding !== null) {
      const target = join(data, branding);
      if (!canContainBranding(target, config)) throw new CliError(`its branding folder cannot be ${target}`);
      if (existsSync(target)) move(target, join(savedFolder, 'branding'));
      move(join(folder, brandingPrefix), target);
      adoptTree(target);
    }
    move(join(folder, databaseName), database);
    chmodSync(database, 0o600);
    adoptOwner(database);
  } catch (error) {
    for (const [from, to] of moved.reverse()) renameSync(to, from);
    throw error;
  }
}

function report({ counts, created, version }: Manifest): string {
  return `${countOf(counts.users, 'user')} and ${countOf(counts.links, 'link')} of ${created} (Filestead ${version})`;
}

/** `restore`: replaces the database with a backup. The previous files are kept in the backup folder. */
export async function restoreBackup(call: CommandCall): Promise<void> {
  const { words, options, terminal } = call;
  const [given = ''] = words;
  const file = resolve(terminal.cwd, given);
  // Options stored in the database that is to be replaced must not decide its path.
  const config = await configOf(call, { readStored: () => ({}) });
  const isDryRun = options.isOn('dryRun') ?? false;
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CliError(`${given} is not a file`);
  for (const path of [config.data, dirname(config.database)]) makePrivateFolder(path);
  const backups = backupFolderOf(config.database);
  makePrivateFolder(backups);
  const unlock = isDryRun ? null : lockDataFolder(config);
  const folder = mkdtempSync(join(backups, workPrefix));
  try {
    const manifest = await open(file, folder).catch((error: unknown) => {
      if (error instanceof CliError) throw new CliError(`${given}: ${error.message}`, { cause: error });
      throw error;
    });
    if (isDryRun) {
      terminal.print(`${given} can be restored: ${report(manifest)}. Nothing was changed.`);
      return;
    }
    if (options.isOn('signOut') === true) {
      withCopy(join(folder, databaseName), (connection) => {
        connection.exec('PRAGMA foreign_keys = ON');
        connection.exec('delete from sessions');
      });
    }
    const savedFolder = join(backups, `before-restore-${timeInName(new Date())}`);
    replace(config, folder, manifest, savedFolder);
    markInstallation(config);
    terminal.print(`Restored ${report(manifest)}. Files of users were not touched.`);
    if (existsSync(savedFolder)) terminal.print(`The previous data was saved to ${savedFolder}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock?.();
  }
}
