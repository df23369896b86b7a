import fs from 'node:fs';
import { syscalls, isErrno, type RawPath } from './syscalls.ts';
import { toRawPath, textOfRaw } from './raw-names.ts';
import type { Step } from './steps.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants;

/** Linux `O_PATH`: a descriptor that only names a place. It needs no read permission and has no side effects. */
const O_PATH = 0o10000000;

/** Where Linux shows our open descriptors, to all threads alike; looked up sooner than `/proc/self/fd`. */
const descriptors = `/proc/${process.pid}/fd`;

/** How folders are held while something is done inside them. */
export type Confinement = 'descriptor' | 'path';

/** A folder that was reached without following a link out of the storage. Names are appended to `base`. */
export interface Folder {
  /** `/proc/<pid>/fd/<n>` when a descriptor is held, the real path otherwise (bytes that are not UTF-8 escaped). */
  readonly base: string;
  /** -1 when none is held. */
  readonly descriptor: number;
  readonly device: bigint;
  readonly inode: bigint;
}

/** An entry identified by device and inode, independent of its name. */
export interface Identity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Whether two are one file or folder. */
export const isSame = (a: Identity, b: Identity): boolean => a.inode === b.inode && a.device === b.device;

export const identityOf = (stats: fs.BigIntStats): Identity => ({ device: stats.dev, inode: stats.ino });

/**
 * The disk path of `name` inside `folder`, as Node takes it. With a held descriptor it stays right when the folder is renamed
 * or swapped.
 */
export const at = (folder: Folder, name: string): RawPath => toRawPath(`${folder.base}/${name}`);

/** Throws the error of the operating system that says "this is no folder". */
function notAFolder(): never {
  throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
}

function hold(descriptor: number): Folder {
  try {
    const stats = fs.fstatSync(descriptor, { bigint: true });
    return { base: `${descriptors}/${descriptor}`, descriptor, ...identityOf(stats) };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

function remember(path: RawPath, stats: fs.BigIntStats): Folder {
  if (!stats.isDirectory()) return notAFolder();
  return { base: typeof path === 'string' ? path : textOfRaw(path), descriptor: -1, ...identityOf(stats) };
}

/** Opens the folder `path`. Fails with ENOTDIR when it is a link (ELOOP on some systems) or no folder. */
export const openFolder = (confinement: Confinement, path: RawPath): Step<Folder> =>
  confinement === 'descriptor'
    ? {
        sync: () => hold(fs.openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)),
        async: async () => hold(await syscalls.open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)),
      }
    : {
        sync: () => remember(path, fs.lstatSync(path, { bigint: true })),
        async: async () => remember(path, await syscalls.lstat(path)),
      };

/** Opens the folder that `path` leads to, following links: for the root of a storage, and for links followed by choice. */
export const openFollowing = (confinement: Confinement, path: RawPath): Step<Folder> =>
  confinement === 'descriptor'
    ? {
        sync: () => hold(fs.openSync(path, O_PATH | O_DIRECTORY)),
        async: async () => hold(await syscalls.open(path, O_PATH | O_DIRECTORY)),
      }
    : {
        sync: () => {
          const real = fs.realpathSync.native(path, 'buffer');
          return remember(real, fs.lstatSync(real, { bigint: true }));
        },
        async: async () => {
          const real = toRawPath(await syscalls.realpath(path));
          return remember(real, await syscalls.lstat(real));
        },
      };

/** Gives the descriptor back. Closing one that only names a place never waits for the disk. */
export function closeFolder(folder: Folder): void {
  if (folder.descriptor >= 0) fs.closeSync(folder.descriptor);
}

/** Holding folders by descriptor needs Linux with /proc; everywhere else paths are compared. */
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

/** Not every system knows every flag. */
export const openFlags = {
  /** Reads a file: no link is followed, and a pipe does not wait for a writer. */
  read: O_RDONLY | (O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
  /** Makes a file that must not exist yet. */
  create: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | (O_NOFOLLOW ?? 0),
} as const;
