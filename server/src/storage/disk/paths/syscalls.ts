import fs from 'node:fs';
import { promisify } from 'node:util';
import { Semaphore } from '../../../scheduling/semaphore.ts';
import { connections } from '../../../scheduling/connection-burst.ts';
import { textOfRaw } from './raw-names.ts';
import { perform, type Step, type Steps } from './steps.ts';

/** A path in the form that Node accepts: text, or bytes when a name is not UTF-8. */
export type RawPath = string | Buffer;

const read = promisify(fs.read);
const writev = promisify(fs.writev);
const fdatasync = promisify(fs.fdatasync);
const fsync = promisify(fs.fsync);

/**
 * Node has four threads for file-system calls and queues all of them in order. Reads and writes wait here instead, so that
 * names can still be looked up while hundreds of clients transfer data: at most as many run as there are threads, which also
 * limits their callbacks per turn of the event loop. New connections take precedence over them.
 */
const transfers = new Semaphore(4, connections);
/** Flushes take longest, so that they may occupy at most half of the threads. */
const flushes = new Semaphore(2);

/**
 * The file-system calls, with plain descriptors. They cost less than file handles and are never closed by the garbage
 * collector: the code that opens a descriptor closes it.
 */
export const syscalls = {
  access: promisify(fs.access),
  open: promisify(fs.open),
  close: promisify(fs.close),
  read: (descriptor: number, buffer: Uint8Array, offset: number, length: number, position: number) =>
    transfers.run(() => read(descriptor, buffer, offset, length, position)),
  writev: (descriptor: number, pieces: readonly Uint8Array[], position: number) =>
    transfers.run(() => writev(descriptor, pieces, position)),
  write: promisify(fs.write),
  ftruncate: promisify(fs.ftruncate),
  fdatasync: (descriptor: number) => flushes.run(() => fdatasync(descriptor)),
  fsync: (descriptor: number) => flushes.run(() => fsync(descriptor)),
  fchmod: promisify(fs.fchmod),
  fchown: promisify(fs.fchown),
  futimes: promisify(fs.futimes),
  chmod: promisify(fs.chmod),
  utimes: promisify(fs.utimes),
  mkdir: promisify(fs.mkdir),
  rmdir: promisify(fs.rmdir),
  link: promisify(fs.link),
  symlink: promisify(fs.symlink),
  unlink: promisify(fs.unlink),
  rename: promisify(fs.rename),
  copyFile: promisify(fs.copyFile),
  readlink: promisify(fs.readlink),
  /** The real path of `at`, links followed; bytes that are not UTF-8 are escaped. */
  realpath: (at: RawPath): Promise<string> =>
    new Promise((resolve, reject) => {
      fs.realpath.native(at, 'buffer', (error, real) => (error ? reject(error) : resolve(textOfRaw(real))));
    }),
  statfs: promisify(fs.statfs),
  lstat: (at: RawPath): Promise<fs.BigIntStats> =>
    new Promise((resolve, reject) => {
      fs.lstat(at, { bigint: true }, (error, stats) => (error ? reject(error) : resolve(stats)));
    }),
};

/** Whether `error` comes from the operating system with one of `codes`. */
export const isErrno = (error: unknown, ...codes: string[]): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** Awaits `work`; resolves to `undefined` instead of rejecting with one of `codes`. */
export async function ignoreErrno<T>(work: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isErrno(error, ...codes)) return undefined;
    throw error;
  }
}

/** Performs `step`; returns `undefined` instead of throwing an error of the operating system with one of `codes`. */
export function* attempt<T>(step: Step<T>, ...codes: string[]): Steps<T | undefined> {
  try {
    return yield* perform(step);
  } catch (error) {
    if (isErrno(error, ...codes)) return undefined;
    throw error;
  }
}

/** The metadata of the entry at `at`, links not followed; null when there is none. */
export const lstat = (at: RawPath): Step<fs.BigIntStats | null> => ({
  sync: () => fs.lstatSync(at, { bigint: true, throwIfNoEntry: false }) ?? null,
  async: async () => (await ignoreErrno(syscalls.lstat(at), 'ENOENT', 'ENOTDIR')) ?? null,
});

/** The target of the link at `at`, with bytes that are not UTF-8 escaped; null when the entry is not a link. */
export const readLink = (at: RawPath): Step<string | null> => ({
  sync: () => {
    try {
      return textOfRaw(fs.readlinkSync(at, 'buffer'));
    } catch (error) {
      if (isErrno(error, 'EINVAL', 'UNKNOWN')) return null;
      throw error;
    }
  },
  async: async () => {
    const target = await ignoreErrno(syscalls.readlink(at, 'buffer'), 'EINVAL', 'UNKNOWN');
    return target === undefined ? null : textOfRaw(target);
  },
});

/** The bytes of the target of the link at `at`. Fails when the entry is not a link. */
export const readLinkBytes = (at: RawPath): Step<Buffer> => ({
  sync: () => fs.readlinkSync(at, 'buffer'),
  async: () => syscalls.readlink(at, 'buffer'),
});

/** The real path of `at`, links followed; bytes that are not UTF-8 are escaped. */
export const realPath = (at: RawPath): Step<string> => ({
  sync: () => textOfRaw(fs.realpathSync.native(at, 'buffer')),
  async: () => syscalls.realpath(at),
});

/** Links `newPath` to the file at `path`. */
export const link = (path: RawPath, newPath: RawPath): Step<void> => ({
  sync: () => fs.linkSync(path, newPath),
  async: () => syscalls.link(path, newPath),
});

/** Removes the file at `at`. */
export const unlink = (at: RawPath): Step<void> => ({
  sync: () => fs.unlinkSync(at),
  async: () => syscalls.unlink(at),
});

/** Opens a file; the caller closes the descriptor. */
export const openFile = (at: RawPath, flags: number, mode?: number): Step<number> => ({
  sync: () => fs.openSync(at, flags, mode),
  async: () => syscalls.open(at, flags, mode),
});

/** Sets the permission bits of an open file. */
export const changeMode = (descriptor: number, mode: number): Step<void> => ({
  sync: () => fs.fchmodSync(descriptor, mode),
  async: () => syscalls.fchmod(descriptor, mode),
});

/** Sets the owner of an open file. */
export const changeOwner = (descriptor: number, user: number, group: number): Step<void> => ({
  sync: () => fs.fchownSync(descriptor, user, group),
  async: () => syscalls.fchown(descriptor, user, group),
});

/** Creates a folder. Returns false when the name exists already. */
export const makeFolder = (at: RawPath, mode: number): Step<boolean> => ({
  sync: () => {
    try {
      fs.mkdirSync(at, mode);
      return true;
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      return false;
    }
  },
  async: async () =>
    (await ignoreErrno(
      syscalls.mkdir(at, mode).then(() => true),
      'EEXIST',
    )) ?? false,
});
