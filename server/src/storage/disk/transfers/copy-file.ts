import fs, { type BigIntStats } from 'node:fs';
import { syscalls, isErrno, type RawPath, ignoreErrno } from '../paths/syscalls.ts';
import { whenSettled } from './copied-entries.ts';
import { at, type Folder, openFlags } from '../paths/folder.ts';
import { Flusher } from '../writes/flusher.ts';
import type { ScopeRoot } from '../paths/locate.ts';
import { copiedBits, defaultModes, type NewModes } from '../paths/modes.ts';
import { type FilePlace, openAt } from '../open-file.ts';
import { copyOwnerAndMode } from '../writes/copy-owner-and-mode.ts';
import type { Progress } from '../trees/progress.ts';

/** Bytes are moved in pieces of this size, two at a time: one is read while the other is written. */
const pieceBytes = 1024 * 1024;
/** A clone is tried from this size on; smaller files are read and written sooner than that. */
const minCloneBytes = 256 * 1024;

const seconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;

/** Lets the disk share the blocks of both files, where it can. Only a path of our own is given, never a user's. */
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

/** Copies what `source` holds, however much that turns out to be. */
async function pour(source: number, target: number, size: number, progress: Progress): Promise<void> {
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
      progress.did(0, bytesRead);
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

/** Gives the copy the times of the original and its permission bits, or those of the file that it replaces. */
async function finish(
  target: number,
  stats: BigIntStats,
  modes: NewModes,
  { isMove = false, replaces = null }: CopyOptions,
): Promise<void> {
  await syscalls.fchmod(target, copiedBits(stats, modes, { isFolder: false, isMove }));
  if (replaces !== null) await copyOwnerAndMode(target, fs.fstatSync(target, { bigint: true }), replaces);
  await syscalls.futimes(target, seconds(stats.atimeNs), seconds(stats.mtimeNs));
  await syscalls.fdatasync(target);
}

export interface CopyOptions {
  /** It is a move: the bits stay, and a file that was changed a moment ago is read when the clock of the disk has gone on. */
  readonly isMove?: boolean;
  /** The file that the copy will replace, whose owner and permission bits it gets; null for none. */
  readonly replaces?: BigIntStats | null;
}

/** Both files of a copy. */
export interface CopiedFiles {
  /** The facts of the source before it was read: a later change shows in them. Null when it went on changing. */
  readonly source: BigIntStats | null;
  /** The facts of the finished copy. */
  readonly copy: BigIntStats;
}

/**
 * Copies the file at `from` to the new name `name` in `folder`, flushed. Throws what `openAt` throws when it is no file (any more), and
 * already-exists errors of the system when the name is taken.
 */
export async function copyFile(
  scopeRoot: ScopeRoot,
  from: FilePlace,
  folder: Folder,
  name: string,
  progress: Progress,
  options: CopyOptions = {},
): Promise<CopiedFiles> {
  const { descriptor: source, stats: opened } = await openAt(scopeRoot, from);
  try {
    const settled =
      options.isMove === true ? await whenSettled(() => fs.fstatSync(source, { bigint: true })) : opened;
    const stats = settled ?? opened;
    const place = at(folder, name);
    const size = Number(stats.size);
    const isCloned =
      scopeRoot.confinement === 'descriptor' && size >= minCloneBytes && (await clone(source, place));
    const flags = isCloned ? fs.constants.O_RDWR | (fs.constants.O_NOFOLLOW ?? 0) : openFlags.create;
    const target = await syscalls.open(place, flags, 0o600);
    let copy: BigIntStats;
    try {
      if (isCloned) progress.did(0, size);
      else await pour(source, target, size, progress);
      await finish(target, stats, scopeRoot.modes ?? defaultModes, options);
      copy = fs.fstatSync(target, { bigint: true });
    } finally {
      fs.closeSync(target);
    }
    progress.did(1, 0);
    return { source: settled, copy };
  } finally {
    fs.closeSync(source);
  }
}

/** Whether `error` says that the file vanished or was replaced by something else while its folder was being copied. */
export const isVanished = (error: unknown): boolean => isErrno(error, 'ENOENT', 'ELOOP', 'ENXIO');
