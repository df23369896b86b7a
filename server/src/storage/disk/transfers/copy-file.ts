import fs, { type BigIntStats } from 'node:fs';
import { syscalls, isErrno, type RawPath, ignoreErrno } from '../paths/syscalls.ts';
import { whenSettled } from './copied-entries.ts';
import { at, type Folder, openFlags } from '../paths/folder.ts';
import { Flusher } from '../writes/flusher.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { copiedBits, defaultModes, type NewModes } from '../paths/modes.ts';
import { type FileInFolder, openAt } from '../open-file.ts';
import { runAsync } from '../paths/steps.ts';
import { copyOwnerAndMode } from '../writes/copy-owner-and-mode.ts';
import type { Progress } from '../trees/progress.ts';

/** The buffer size in bytes. There are two buffers: one is read while the other is written. */
const pieceBytes = 1024 * 1024;
/** The minimum size (bytes) for which a clone is tried; smaller files are copied faster by reading and writing. */
const minCloneBytes = 256 * 1024;

const seconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;

/** Clones the file, so that both share their blocks, if the file system supports it. The path is built here, never taken from a user. */
async function clone(source: number, target: RawPath): Promise<boolean> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants;
  const flags = COPYFILE_EXCL | COPYFILE_FICLONE_FORCE;
  const done = await ignoreErrno(
    syscalls.copyFile(`/proc/self/fd/${source}`, target, flags).then(() => true),
    'ENOTSUP',
    'EOPNOTSUPP',
    'EXDEV',
    'EINVAL',
    'ENOSYS',
    'ENOTTY',
    'EACCES',
    'EPERM',
    'ETXTBSY',
  );
  return done === true;
}

async function writeFully(descriptor: number, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.byteLength;) {
    const { bytesWritten } = await syscalls.write(
      descriptor,
      piece,
      done,
      piece.byteLength - done,
      position + done,
    );
    done += bytesWritten;
  }
}

/** Copies the content of `source` to its end, even when it is longer or shorter than `size`. */
async function copyBytes(source: number, target: number, size: number, progress: Progress): Promise<void> {
  const length = Math.min(pieceBytes, Math.max(size + 1, 1024));
  let reading = Buffer.allocUnsafe(length);
  let spare = size < length ? reading : Buffer.allocUnsafe(length);
  let writing: Promise<void> = Promise.resolve();
  const flusher = new Flusher(target, 0);
  try {
    for (let position = 0; ;) {
      const { bytesRead } = await syscalls.read(source, reading, 0, length, position);
      await writing;
      flusher.wrote(position);
      if (bytesRead === 0) return;
      progress.add(0, bytesRead);
      writing = writeFully(target, reading.subarray(0, bytesRead), position);
      writing.catch(() => undefined);
      position += bytesRead;
      if (spare === reading) await writing;
      [reading, spare] = [spare, reading];
    }
  } finally {
    await writing.catch(() => undefined);
    await flusher.settled();
  }
}

/** Sets the times of the original and its permission bits, or those of the replaced file, and flushes the copy. */
async function finish(
  target: number,
  stats: BigIntStats,
  modes: NewModes,
  { isMove = false, replaces = null }: CopyOptions,
): Promise<void> {
  await syscalls.fchmod(target, copiedBits(stats, modes, { isFolder: false, isMove }));
  if (replaces !== null)
    await runAsync(copyOwnerAndMode(target, fs.fstatSync(target, { bigint: true }), replaces));
  await syscalls.futimes(target, seconds(stats.atimeNs), seconds(stats.mtimeNs));
  await syscalls.fdatasync(target);
}

/** Options of {@link copyFile}. */
export interface CopyOptions {
  /** For moves: permission bits are kept, and a file that has just been changed is read after the next tick of the disk's clock. */
  readonly isMove?: boolean;
  /** The file that the copy will replace, whose owner and permission bits it inherits; null for none. */
  readonly replaces?: BigIntStats | null;
}

/** Both files of a copy. */
export interface CopiedFiles {
  /** The metadata of the source before it was read; any later change shows in it. Null when the source kept changing. */
  readonly source: BigIntStats | null;
  /** The metadata of the finished copy. */
  readonly copy: BigIntStats;
}

/**
 * Copies the file at `from` to the new name `name` in `folder` and flushes it. Throws the errors of `openAt` when the source
 * is not, or no longer, a file, and EEXIST when the name exists.
 */
export async function copyFile(
  scopeRoot: ScopeRoot,
  from: FileInFolder,
  folder: Folder,
  name: string,
  progress: Progress,
  options: CopyOptions = {},
): Promise<CopiedFiles> {
  const { descriptor: source, stats: opened } = await runAsync(openAt(scopeRoot, from));
  try {
    const settled =
      options.isMove === true ? await whenSettled(() => fs.fstatSync(source, { bigint: true })) : opened;
    const stats = settled ?? opened;
    const path = at(folder, name);
    const size = Number(stats.size);
    const isCloned =
      scopeRoot.confinement === 'descriptor' && size >= minCloneBytes && (await clone(source, path));
    const flags = isCloned ? fs.constants.O_RDWR | (fs.constants.O_NOFOLLOW ?? 0) : openFlags.create;
    const target = await syscalls.open(path, flags, 0o600);
    let copy: BigIntStats;
    try {
      if (isCloned) progress.add(0, size);
      else await copyBytes(source, target, size, progress);
      await finish(target, stats, scopeRoot.modes ?? defaultModes, options);
      copy = fs.fstatSync(target, { bigint: true });
    } finally {
      fs.closeSync(target);
    }
    progress.add(1, 0);
    return { source: settled, copy };
  } finally {
    fs.closeSync(source);
  }
}

/** Whether `error` means that the file vanished or was replaced by another entry while its folder was being copied. */
export const isVanished = (error: unknown): boolean => isErrno(error, 'ENOENT', 'ELOOP', 'ENXIO');
