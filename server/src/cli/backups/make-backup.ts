import {
  closeSync,
  createWriteStream,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Config } from '../../config/config.ts';
import { adoptOwner, makePrivateFolder } from '../../database/adopt-owner.ts';
import { backupFolderOf, timeInName } from '../../database/database-file.ts';
import { recordBackup } from '../../database/last-backup.ts';
import { prepareFolders } from '../../start/data-folder.ts';
import { lockData } from '../../database/lock-data.ts';
import { isErrno } from '../../storage/disk/paths/syscalls.ts';
import { version } from '../../version.ts';
import { type CommandCall, CliError } from '../command.ts';
import { configOf, knowsRoot } from '../common-options.ts';
import { countOf } from '../count-of.ts';
import { assertDatabase } from '../open-data.ts';
import { copyDatabase } from './copy-database.ts';
import {
  brandingPath,
  brandingPrefix,
  databaseName,
  hashFile,
  isBackupName,
  type Manifest,
  manifestName,
  pieceBytes,
} from './manifest.ts';
import { examineCopy } from './read-backup.ts';
import { packTar, type TarMember } from './tar.ts';
import {
  lockName,
  partPathOf,
  removeAbandonedArchives,
  removeAbandonedCopies,
  workPrefix,
} from './unfinished-backups.ts';

/** Default names of backups. */
const datedName = /^filestead-\d{8}-\d{6}-\d{3}\.tar\.gz$/;

/** The fastest level: the default one takes four times as long for an archive that is 3 % smaller. */
const gzipOptions = { level: 1, chunkSize: pieceBytes } as const;

const nameAt = (time: Date): string => `filestead-${timeInName(time)}.tar.gz`;

/** Destination of a backup: a file or the standard output. */
type Target = { readonly file: string; readonly isDated: boolean } | 'stdout';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function targetOf({ options, terminal }: CommandCall, config: Config): Target {
  const to = options.text('to');
  if (to === '-') return 'stdout';
  const name = nameAt(new Date());
  if (to === undefined) {
    const folder = backupFolderOf(config.database);
    makePrivateFolder(folder);
    return { file: join(folder, name), isDated: true };
  }
  const path = resolve(terminal.cwd, to);
  if (isFolder(path)) return { file: join(path, name), isDated: true };
  if (!isFolder(dirname(path))) throw new CliError(`--to: there is no folder ${dirname(path)}`);
  return { file: path, isDated: false };
}

/** Throws {@link CliError} if users could download the target, because a backup contains all password hashes and keys. */
function assertNotServed(target: string, config: Config): void {
  if (!knowsRoot(config)) return;
  const { root, excluded } = prepareFolders(config);
  const realPath = join(realpathSync(dirname(target)), basename(target));
  const isBelow = (folder: string): boolean =>
    realPath === folder || realPath.startsWith(folder.replace(/\/?$/, sep));
  if (isBelow(root) && !excluded.some(isBelow)) {
    throw new CliError(
      `--to: ${target} is in the served folder, where users could download it; choose another place`,
    );
  }
}

/** Returns the files of the branding folder as archive members if it is below the data folder. */
function brandingMembers(folder: string, data: string): { branding: string | null; members: TarMember[] } {
  if (folder === '' || !isFolder(folder)) return { branding: null, members: [] };
  const path = relative(realpathSync(data), realpathSync(folder));
  if (!brandingPath.test(path)) return { branding: null, members: [] };
  const members = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      name: `${brandingPrefix}${relative(folder, file).split(sep).join('/')}`,
      source: file,
      size: statSync(file).size,
    }))
    .filter(({ name }) => isBackupName(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return { branding: path, members };
}

async function manifestOf(copy: string, data: string): Promise<{ manifest: Manifest; members: TarMember[] }> {
  const contents = examineCopy(copy);
  const { branding, members } = brandingMembers(contents.brandingFolder, data);
  const all: TarMember[] = [{ name: databaseName, source: copy, size: statSync(copy).size }, ...members];
  const files = [];
  for (const { name, source, size } of all)
    files.push({ name, size, sha256: await hashFile(String(source)) });
  const manifest: Manifest = {
    format: 'filestead-backup',
    formatVersion: 1,
    version,
    created: new Date().toISOString(),
    schema: [...contents.schema],
    branding,
    counts: { users: contents.users, links: contents.shares },
    files,
  };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, members: [{ name: manifestName, source: text, size: text.length }, ...all] };
}

const pack = (members: readonly TarMember[], target: Writable): Promise<void> =>
  pipeline(Readable.from(packTar(members, Date.now())), createGzip(gzipOptions), target, {
    end: target !== process.stdout,
  });

/** Moves a file to its final name. Throws `EEXIST` if that name exists. */
function publishExclusively(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    // Some file systems do not support hard links.
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) throw error;
    renameSync(unfinished, file);
  }
}

/** Writes the archive under a temporary name and renames it once it is complete. */
async function publish(members: readonly TarMember[], file: string, replaces: boolean): Promise<void> {
  const unfinished = partPathOf(file);
  try {
    await pack(members, createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }));
    const written = openSync(unfinished, 'r+');
    fsyncSync(written);
    closeSync(written);
    if (replaces) renameSync(unfinished, file);
    else publishExclusively(unfinished, file);
  } catch (error) {
    if (isErrno(error, 'ENOSPC', 'EDQUOT')) {
      throw new CliError(`the disk of ${file} is full; nothing was written`, { cause: error });
    }
    if (isErrno(error, 'EEXIST')) throw new CliError(`${file} exists; --force replaces it`, { cause: error });
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} cannot be written`, { cause: error });
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Removes the oldest dated backups of a folder until `keep` remain. Returns the number of removed ones. */
function prune(folder: string, keep: number): number {
  const old = readdirSync(folder)
    .filter((name) => datedName.test(name))
    .sort()
    .reverse()
    .slice(keep);
  for (const name of old) rmSync(join(folder, name));
  return old.length;
}

function keepOf({ options }: CommandCall, target: Target): number | null {
  const text = options.text('keep');
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CliError('--keep: expected a whole number from 1');
  if (target === 'stdout' || !target.isDated) {
    throw new CliError('--keep requires backups that are named after the time: specify a folder with --to');
  }
  return Number(text);
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** `backup`: saves users, shares, settings and keys in one archive, even while a server runs. */
export async function makeBackup(call: CommandCall): Promise<void> {
  const { options, terminal } = call;
  const config = await configOf(call);
  assertDatabase(config);
  const target = targetOf(call, config);
  const keep = keepOf(call, target);
  const replaces = options.isOn('force') ?? false;
  if (target !== 'stdout') {
    assertNotServed(target.file, config);
    const existing = statSync(target.file, { throwIfNoEntry: false });
    if (existing?.isFile() === false) throw new CliError(`${target.file} is not a file`);
    if (existing !== undefined && !replaces) throw new CliError(`${target.file} exists; --force replaces it`);
  }
  const folder = backupFolderOf(config.database);
  makePrivateFolder(folder);
  removeAbandonedCopies(folder);
  const work = mkdtempSync(join(folder, workPrefix));
  const unlock = lockData(join(work, lockName));
  try {
    const copy = join(work, databaseName);
    copyDatabase(config.database, copy);
    const { manifest, members } = await manifestOf(copy, config.data);
    if (target !== 'stdout') removeAbandonedArchives(dirname(target.file));
    if (target === 'stdout') await pack(members, terminal.stdout);
    else await publish(members, target.file, replaces);
    if (target !== 'stdout' && dirname(target.file) === folder) adoptOwner(target.file);
    recordBackup(config.data, Date.now());
    const { users, links } = manifest.counts;
    const saved = `${countOf(users, 'user')}, ${countOf(links, 'link')}, settings and keys`;
    const where = target === 'stdout' ? '' : ` (${sizeText(statSync(target.file).size)}) to ${target.file}`;
    const report = `Saved ${saved}${where}. Files of users are not in it.`;
    if (target === 'stdout') terminal.warn(report);
    else terminal.print(report);
    if (target !== 'stdout' && keep !== null) {
      const removed = prune(dirname(target.file), keep);
      if (removed > 0) terminal.print(`Removed ${countOf(removed, 'older backup')}.`);
    }
  } finally {
    unlock();
    rmSync(work, { recursive: true, force: true });
  }
}
