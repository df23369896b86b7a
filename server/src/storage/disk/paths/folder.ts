import fs from 'node:fs';
import { syscalls, isErrno, type RawPath } from './syscalls.ts';
import { toRawPath, textOfRaw } from './raw-names.ts';
import type { Step } from './steps.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants;

/** Linux `O_PATH`: a descriptor that only identifies a path. It needs no read permission and has no side effects. */
const O_PATH = 0o10000000;

/** The folder in which Linux lists our open descriptors, the same for all threads; faster to resolve than `/proc/self/fd`. */
const descriptors = `/proc/${process.pid}/fd`;

/** The reference to a folder while the storage works inside it: by an open descriptor, or by its real path. */
export type Confinement = 'descriptor' | 'path';

/** A folder that was reached without following a link out of the storage. Names are appended to `base`. */
export interface Folder {
  /** `/proc/<pid>/fd/<n>` for an open descriptor, the real path otherwise (bytes that are not UTF-8 are escaped). */
  readonly base: string;
  /** -1 without an open descriptor. */
  readonly descriptor: number;
  readonly device: bigint;
  readonly inode: bigint;
}

/** An open folder and its real path: names from the root of the scope. */
export interface LocatedFolder {
  readonly folder: Folder;
  readonly names: readonly string[];
}

/** An entry identified by device and inode, independent of its name. */
export interface Identity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Whether both identify the same file or folder. */
export const isSame = (a: Identity, b: Identity): boolean => a.inode === b.inode && a.device === b.device;

/** The identity of the entry with the metadata `stats`. */
export const identityOf = (stats: fs.BigIntStats): Identity => ({ device: stats.dev, inode: stats.ino });

/**
 * The disk path of `name` inside `folder`, in the form that Node accepts. With an open descriptor it stays correct when the
 * folder is renamed or replaced.
 */
export const at = (folder: Folder, name: string): RawPath => toRawPath(`${folder.base}/${name}`);

/** Throws the operating system's error for an entry that is not a folder. */
function notAFolder(): never {
  throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
}

function folderOfDescriptor(descriptor: number): Folder {
  try {
    const stats = fs.fstatSync(descriptor, { bigint: true });
    return { base: `${descriptors}/${descriptor}`, descriptor, ...identityOf(stats) };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

function folderOfPath(path: RawPath, stats: fs.BigIntStats): Folder {
  if (!stats.isDirectory()) return notAFolder();
  return { base: typeof path === 'string' ? path : textOfRaw(path), descriptor: -1, ...identityOf(stats) };
}

/** Opens the folder `path`. Fails with ENOTDIR when it is a link (ELOOP on some systems) or no folder. */
export const openFolder = (confinement: Confinement, path: RawPath): Step<Folder> =>
  confinement === 'descriptor'
    ? {
        sync: () => folderOfDescriptor(fs.openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)),
        async: async () => folderOfDescriptor(await syscalls.open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)),
      }
    : {
        sync: () => folderOfPath(path, fs.lstatSync(path, { bigint: true })),
        async: async () => folderOfPath(path, await syscalls.lstat(path)),
      };

/** Opens the folder at `path`, following links: for the root of a storage, and for external links that are allowed. */
export const openFollowing = (confinement: Confinement, path: RawPath): Step<Folder> =>
  confinement === 'descriptor'
    ? {
        sync: () => folderOfDescriptor(fs.openSync(path, O_PATH | O_DIRECTORY)),
        async: async () => folderOfDescriptor(await syscalls.open(path, O_PATH | O_DIRECTORY)),
      }
    : {
        sync: () => {
          const real = fs.realpathSync.native(path, 'buffer');
          return folderOfPath(real, fs.lstatSync(real, { bigint: true }));
        },
        async: async () => {
          const real = toRawPath(await syscalls.realpath(path));
          return folderOfPath(real, await syscalls.lstat(real));
        },
      };

/** Closes the descriptor. Closing an `O_PATH` descriptor never waits for the disk. */
export function closeFolder(folder: Folder): void {
  if (folder.descriptor >= 0) fs.closeSync(folder.descriptor);
}

/** The safest confinement of this system. Descriptors need Linux with /proc; everywhere else paths are compared. */
export function bestConfinement(): Confinement {
  if (process.platform !== 'linux') return 'path';
  let descriptor = -1;
  try {
    descriptor = fs.openSync('/', O_PATH | O_DIRECTORY);
    const seen = fs.lstatSync(`${descriptors}/${descriptor}/.`);
    return seen.ino === fs.statSync('/').ino ? 'descriptor' : 'path';
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EINVAL', 'EACCES', 'ENOTDIR')) return 'path';
    throw error;
  } finally {
    if (descriptor >= 0) fs.closeSync(descriptor);
  }
}

/** Flags for opening files. Flags that the system does not support are left out. */
export const openFlags = {
  /** For reading: no link is followed, and opening a pipe does not wait for a writer. */
  read: O_RDONLY | (O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
  /** For creating a file that must not exist yet. */
  create: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | (O_NOFOLLOW ?? 0),
} as const;

/** Opens the file at `path` with {@link openFlags.read} and returns its descriptor. */
export const openForReading = (path: RawPath): Step<number> => ({
  sync: () => fs.openSync(path, openFlags.read),
  async: () => syscalls.open(path, openFlags.read),
});
