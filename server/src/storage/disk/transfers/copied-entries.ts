import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameTime } from '../../modification-time.ts';
import type { Folder } from '../paths/folder.ts';
import { lstatOrNull } from '../paths/publish.ts';

/** The resolution of a file system's clock (milliseconds): two changes within one tick get the same time. */
const clockTickMs = 30;

/** A file that was changed during the move is removed only after this time without another change (milliseconds). */
const quietMs = 1_000;

const changedAtMs = ({ ctimeNs }: BigIntStats): number => Number(ctimeNs / 1_000_000n);

/** Milliseconds since the entry was changed. Large when the clock of the file system differs from ours. */
const changedAgoMs = (stats: BigIntStats): number => Math.abs(Date.now() - changedAtMs(stats));

/** Whether `timeNs` is after `startedAt` (Unix milliseconds); false for times in the future. */
function isAfter(startedAt: number, timeNs: bigint): boolean {
  const timeMs = Number(timeNs / 1_000_000n);
  return timeMs > startedAt && timeMs < Date.now() + quietMs;
}

/** Whether the file or link was created or changed after `startedAt` (Unix milliseconds). */
export const isChangedAfter = (startedAt: number, { ctimeNs }: BigIntStats): boolean =>
  isAfter(startedAt, ctimeNs);

/** Whether the folder was created after `startedAt` (Unix milliseconds); false when the file system does not store that time. */
export async function isFolderCreatedAfter(startedAt: number, folder: Folder): Promise<boolean> {
  const stats = await lstatOrNull(folder, '.');
  return stats !== null && isAfter(startedAt, stats.birthtimeNs);
}

/** Whether a change right after `stats` was read would get another time. */
const hasSettled = (stats: BigIntStats): boolean => changedAgoMs(stats) >= clockTickMs;

/** Resolves to the metadata of a file once a later change would show in it; null when the file keeps changing. */
export async function whenSettled(read: () => BigIntStats): Promise<BigIntStats | null> {
  if (hasSettled(read())) return read();
  await sleep(clockTickMs);
  const stats = read();
  return hasSettled(stats) ? stats : null;
}

/** Whether `copy` is a file with the size and the modification time of `source`. */
export const isEqualFile = (source: BigIntStats, copy: BigIntStats): boolean =>
  copy.isFile() && copy.size === source.size && isSameTime(copy.mtimeNs, source.mtimeNs);

/** The time at which a file was created (Unix milliseconds); 0 where the file system does not store it. */
const createdAtMs = ({ birthtimeNs }: BigIntStats): number => Number(birthtimeNs / 1_000_000n);

/**
 * Whether `copy` is the finished copy that an interrupted move made of `source`, which has not changed since before it was read. The
 * size and the modification time, which a copy gets last, are not enough, because the source is removed: the source was last changed
 * before the copy was created, by the clock of this machine, and since then the machine has not lost what was not yet on its disk.
 */
export function isUnchangedCopy(source: BigIntStats, copy: BigIntStats): boolean {
  const createdAt = createdAtMs(copy);
  const startOfMachine = Date.now() - uptime() * 1000;
  return (
    isEqualFile(source, copy) &&
    changedAtMs(source) + clockTickMs < createdAt &&
    createdAt > startOfMachine &&
    createdAt <= Date.now()
  );
}

/** The position of an entry in a tree: the names of its folder from the top, and its own name. */
export interface EntryPlace {
  readonly relative: readonly string[];
  readonly name: string;
}

/**
 * The source entries that were copied, with their state at that time, and the entries that the copy created. Trees may have
 * millions of entries, so only hashes of 52 bits are stored (40 bytes per entry).
 */
export class CopiedEntries {
  readonly #hashes = new Set<number>();
  readonly #hasStableInodes: boolean;
  /** The beginning of the move, in Unix milliseconds. */
  readonly startedAt = Date.now();

  /** @param hasStableInodes false on file systems that may report another inode number for the same file later (FUSE) */
  constructor(hasStableInodes: boolean) {
    this.#hasStableInodes = hasStableInodes;
  }

  /** Adds a file or link of the source with its metadata `stats`, which was read before the content. */
  addSource(position: EntryPlace, stats: BigIntStats): void {
    // Removing one name of a file changes the time of its other names.
    this.#hashes.add(this.#hash('source', position, stats, stats.nlink === 1n));
  }

  /** Whether the source entry was copied in this state. */
  hasSource(position: EntryPlace, stats: BigIntStats): boolean {
    return this.#has('source', position, stats);
  }

  /** Whether the entry was created or changed after the move began. */
  isLate(stats: BigIntStats): boolean {
    return isChangedAfter(this.startedAt, stats);
  }

  /**
   * The time to wait before the entry may be removed, in milliseconds; 0 for most. A program that has opened a file during the
   * move may be about to write into it.
   */
  remainingWaitMs(stats: BigIntStats): number {
    if (!this.isLate(stats)) return 0;
    return Math.max(0, quietMs - changedAgoMs(stats));
  }

  /** Adds an entry that the copy created. With `wasRenamed`, a rename after `stats` was read is ignored. */
  addTarget(position: EntryPlace, stats: BigIntStats, { wasRenamed }: { wasRenamed: boolean }): void {
    this.#hashes.add(this.#hash('target', position, stats, !wasRenamed));
  }

  /** Whether the entry of the target is the one that the copy created, unchanged. */
  hasTarget(position: EntryPlace, stats: BigIntStats): boolean {
    return this.#has('target', position, stats);
  }

  /** Adds a folder of the source that has its counterpart in the target. */
  addFolder({ relative, name }: EntryPlace): void {
    this.#hashes.add(hashOf(['folder', ...relative], name));
  }

  /** Whether the folder of the source has its counterpart in the target. */
  hasFolder({ relative, name }: EntryPlace): boolean {
    return this.#hashes.has(hashOf(['folder', ...relative], name));
  }

  #has(side: string, position: EntryPlace, stats: BigIntStats): boolean {
    return [true, false].some((withChange) =>
      this.#hashes.has(this.#hash(side, position, stats, withChange)),
    );
  }

  #hash(side: string, { relative, name }: EntryPlace, stats: BigIntStats, withChange: boolean): number {
    const { mode, ino, size, mtimeNs, ctimeNs } = stats;
    const type = mode & 0o170_000n;
    const state = [type, this.#hasStableInodes ? ino : 0n, size, mtimeNs, withChange ? ctimeNs : -1n];
    return hashOf([side, state.join(','), ...relative], name);
  }
}

function hashOf(words: readonly string[], name: string): number {
  const digest = createHash('sha1')
    .update(`${words.join('/')}/`)
    .update(name)
    .digest();
  return digest.readUIntBE(0, 6) * 16 + ((digest[6] ?? 0) & 15);
}
