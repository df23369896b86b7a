import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { explainPath } from '../../start/explain-error.ts';
import { mountAt, readMounts } from '../../storage/disk/paths/mount-table.ts';
import { diskSpaceOf } from '../../disk-space.ts';
import { type Finding, passed, sizeText, failed } from './finding.ts';

const { R_OK, W_OK, X_OK } = constants;
/** Free space in bytes below which a disk is reported. */
const lowSpaceBytes = 256 * 1024 * 1024;

const networkTypes =
  /^(?:nfs|nfs4|cifs|smb3|smbfs|9p|afs|ceph|lustre|glusterfs|davfs|ncpfs|fuse\.(?:sshfs|glusterfs|ceph|s3fs|rclone|davfs2))$/;

/** Whether SQLite's locks may fail on a file system of this type because other machines can use it. */
export const isNetworkType = (type: string): boolean => networkTypes.test(type);

const canAccess = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

const freeBytes = (folder: string): number => diskSpaceOf(statfsSync(folder)).free;

/** Returns the nearest existing folder at or above `path`. */
function existingFolder(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? existingFolder(dirname(path)) : path;
}

/** Reports a nearly full disk. */
function checkFreeSpace(check: string, folder: string, requiredBytes: number): Finding[] {
  const free = freeBytes(folder);
  if (free >= Math.max(lowSpaceBytes, requiredBytes)) return [];
  const text = `${folder} has only ${sizeText(free)} free: uploads and changes will fail with 507`;
  return [failed('warn', check, text, 'free some space on this disk')];
}

/** Checks that the served folder can be read and written. */
export function checkRoot({ root, minFreeBytes }: Config): Finding[] {
  try {
    if (!statSync(root).isDirectory())
      return [failed('error', 'root', `${root} is not a folder`, '--root FOLDER')];
    accessSync(root, R_OK | X_OK);
  } catch (error) {
    return [failed('error', 'root', explainPath('no files can be served', root, error), '--root FOLDER')];
  }
  const { uid, gid } = statSync(root);
  if (!canAccess(root, W_OK)) {
    const text = `${root} cannot be written by user ${process.getuid?.() ?? ''}: uploads and changes are refused`;
    const fix = `run the server as user ${uid}:${gid} (PUID and PGID in a container), or chown the folder`;
    return [failed('warn', 'root', text, fix)];
  }
  const spaceFindings = checkFreeSpace('root', root, minFreeBytes);
  if (spaceFindings.length > 0) return spaceFindings;
  return [passed('root', `${root}: readable, writable, ${sizeText(freeBytes(root))} free`)];
}

/** Creates, syncs, renames and removes a small file. Throws the system's error. */
function tryToWrite(folder: string): void {
  const file = join(folder, `doctor-${process.pid}.tmp`);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      writeSync(descriptor, 'doctor');
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(file, `${file}.new`);
  } finally {
    for (const path of [file, `${file}.new`]) rmSync(path, { force: true });
  }
}

/** Checks owner, mode, free space and a real write in the data folder. */
export function checkData({ data, minFreeBytes }: Config): Finding[] {
  if (statSync(data, { throwIfNoEntry: false }) === undefined) {
    const parent = existingFolder(data);
    if (canAccess(parent, W_OK | X_OK))
      return [passed('data', `${data} does not exist yet; the first start creates it`, 'info')];
    const text = `${data} does not exist and cannot be created: the server will not start`;
    return [
      failed(
        'error',
        'data',
        text,
        `create it, owned by the account of the server, or choose another with --data`,
      ),
    ];
  }
  try {
    tryToWrite(data);
  } catch (error) {
    const text = explainPath('nothing can be stored, so the server will not start', data, error);
    return [failed('error', 'data', text, '--data FOLDER')];
  }
  const { mode, uid } = statSync(data);
  const found: Finding[] = [];
  if ((mode & 0o077) !== 0) {
    const text = `${data} has mode ${(mode & 0o777).toString(8).padStart(4, '0')}: other accounts can reach password hashes and keys`;
    found.push(failed('warn', 'data', text, `chmod 700 ${data}`));
  }
  const ownUid = process.getuid?.();
  if (ownUid === 0 && uid !== 0) {
    const text = `checked as root, but ${data} belongs to user ${uid}: access of the server itself was not tested`;
    found.push(passed('data', text, 'info'));
  }
  found.push(...checkFreeSpace('data', data, minFreeBytes));
  if (found.some(({ state }) => state !== 'info')) return found;
  return [...found, passed('data', `${data}: private, writable, ${sizeText(freeBytes(data))} free`)];
}

/** Checks that the preview cache can be written. */
export function checkCache({ cache }: Config): Finding[] {
  const folder = existingFolder(cache);
  if (canAccess(folder, W_OK | X_OK)) return [passed('cache', `${cache}: writable`)];
  const text = `${cache} cannot be written: the server will not start`;
  return [failed('error', 'cache', text, '--cacheDir FOLDER, or chown the folder')];
}

/** Checks that the log file can be written. */
export function checkLog({ log }: Config): Finding[] {
  if (['stdout', 'stderr', 'none'].includes(log)) return [passed('log', `goes to ${log}`)];
  const target = statSync(log, { throwIfNoEntry: false }) === undefined ? dirname(log) : log;
  if (canAccess(target, W_OK)) return [passed('log', `${log}: writable`)];
  return [
    failed('error', 'log', `${log} cannot be written: the server will not start`, '--log FILE, or chown it'),
  ];
}

/** Checks the type of the file system on which the database is. */
export async function checkFileSystem({ database }: Config): Promise<Finding[]> {
  const folder = realpathSync(existingFolder(dirname(database)));
  const mount = mountAt((await readMounts()) ?? [], folder);
  if (mount === undefined) return [];
  if (!isNetworkType(mount.type))
    return [passed('disk', `${mount.point} is ${mount.type}, a local file system`)];
  const text = `${folder} is on a network file system (${mount.type}): SQLite's locks are not safe there, and the database can be damaged`;
  return [failed('error', 'disk', text, '--data FOLDER on a local disk, such as /var/lib/filestead')];
}
