import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Folder } from '../paths/folder.ts';
import { lstatOrNull } from '../paths/publish.ts';

/** The clock of a file system ticks this slowly (milliseconds): two changes within one tick leave the same time. */
const clockTickMs = 30;

/** A file that was changed during the move is removed only when nobody has changed it for so long (milliseconds). */
const quietMs = 1_000;

const changedAtMs = ({ ctimeNs }: BigIntStats): number => Number(ctimeNs / 1_000_000n);

/** How long ago the entry was changed, in milliseconds; far from 0 where the clock of the file system differs from ours. */
const changedAgoMs = (stats: BigIntStats): number => Math.abs(Date.now() - changedAtMs(stats));

/** Whether `timeNs` is after `startedAt` (Unix milliseconds); false for times that are still to come. */
function isAfter(startedAt: number, timeNs: bigint): boolean {
  const timeMs = Number(timeNs / 1_000_000n);
  return timeMs > startedAt && timeMs < Date.now() + quietMs;
}

/** Whether the file or link was made or changed after `startedAt` (Unix milliseconds). */
export const isChangedAfter = (startedAt: number, { ctimeNs }: BigIntStats): boolean =>
  isAfter(startedAt, ctimeNs);

/** Whether the folder was made after `startedAt` (Unix milliseconds); false where the file system does not keep that time. */
export async function isFolderMadeAfter(startedAt: number, folder: Folder): Promise<boolean> {
  const stats = await lstatOrNull(folder, '.');
  return stats !== null && isAfter(startedAt, stats.birthtimeNs);
}

/** Whether a change right after `stats` was taken would show in its time. */
const hasSettled = (stats: BigIntStats): boolean => changedAgoMs(stats) >= clockTickMs;

/** Resolves to the facts of a file once a later change would show in them; null when it is being changed all the time. */
export async function whenSettled(read: () => BigIntStats): Promise<BigIntStats | null> {
  if (hasSettled(read())) return read();
  await sleep(clockTickMs);
  const stats = read();
  return hasSettled(stats) ? stats : null;
}

/** Where an entry is in a tree: the names of its folder from the top, and its own. */
export interface EntryPlace {
  readonly relative: readonly string[];
  readonly name: string;
}

/**
 * The entries of a source that were copied, in the state in which they were, and those that the copy made. Only hashes of 52 bits
 * are kept, 40 bytes for an entry, for trees may have millions of them.
 */
export class CopiedEntries {
  readonly #hashes = new Set<number>();
  readonly #hasStableInodes: boolean;
  /** When the move began, in Unix milliseconds. */
  readonly startedAt = Date.now();

  /** @param hasStableInodes false on file systems that may give a file another inode number at the next look (FUSE) */
  constructor(hasStableInodes: boolean) {
    this.#hasStableInodes = hasStableInodes;
  }

  /** Notes a file or link of the source in the state `stats`, taken before it was read. */
  addSource(place: EntryPlace, stats: BigIntStats): void {
    // Removing one name of a file changes the time of its other names.
    this.#hashes.add(this.#hash('source', place, stats, stats.nlink === 1n));
  }

  hasSource(place: EntryPlace, stats: BigIntStats): boolean {
    return this.#has('source', place, stats);
  }

  /** Whether the entry was made or changed after the move began. */
  isLate(stats: BigIntStats): boolean {
    return isChangedAfter(this.startedAt, stats);
  }

  /**
   * How long the entry must still be left alone, in milliseconds; 0 for most. A program that has opened a file during the move
   * may be about to write into it.
   */
  waitFor(stats: BigIntStats): number {
    if (!this.isLate(stats)) return 0;
    return Math.max(0, quietMs - changedAgoMs(stats));
  }

  /** Notes what the copy made. A rename since `stats` were taken makes no difference with `wasRenamed`. */
  addTarget(place: EntryPlace, stats: BigIntStats, { wasRenamed }: { wasRenamed: boolean }): void {
    this.#hashes.add(this.#hash('target', place, stats, !wasRenamed));
  }

  /** Whether the entry of the target is what the copy made, unchanged. */
  hasTarget(place: EntryPlace, stats: BigIntStats): boolean {
    return this.#has('target', place, stats);
  }

  addFolder({ relative, name }: EntryPlace): void {
    this.#hashes.add(hashOf(['folder', ...relative], name));
  }

  /** Whether the folder of the source has its counterpart in the target. */
  hasFolder({ relative, name }: EntryPlace): boolean {
    return this.#hashes.has(hashOf(['folder', ...relative], name));
  }

  #has(side: string, place: EntryPlace, stats: BigIntStats): boolean {
    return [true, false].some((withChange) => this.#hashes.has(this.#hash(side, place, stats, withChange)));
  }

  #hash(side: string, { relative, name }: EntryPlace, stats: BigIntStats, withChange: boolean): number {
    const { mode, ino, size, mtimeNs, ctimeNs } = stats;
    const type = mode & 0o170_000n;
    const facts = [type, this.#hasStableInodes ? ino : 0n, size, mtimeNs, withChange ? ctimeNs : -1n];
    return hashOf([side, facts.join(','), ...relative], name);
  }
}

function hashOf(words: readonly string[], name: string): number {
  const digest = createHash('sha1')
    .update(`${words.join('/')}/`)
    .update(name)
    .digest();
  return digest.readUIntBE(0, 6) * 16 + ((digest[6] ?? 0) & 15);
}
