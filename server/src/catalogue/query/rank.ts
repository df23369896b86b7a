import { type Columns, noEntry, rootEntry } from '../columns/columns.ts';
import { folderKind } from '../columns/entry-kinds.ts';
import { blockOf, daySeconds, shortestLength } from '../columns/name-bounds.ts';
import type { NameBuffer } from '../names/name-buffer.ts';

/** The classes of matches of a word in a name, the weakest first. */
export const inside = 0;
export const wordStart = 1;
export const nameStart = 2;
export const wholeName = 3;
/** The name contains the word with one typing error. */
export const similarName = -1;

/** The points for each class above {@link inside}; more than all other points together. */
const classPoints = 1000;
/** At least the sum of all other points. */
const maxPoints = 500;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

/**
 * Whether a word begins at `position` of a folded name: after punctuation, between a letter and a digit, at a capital, or at a character
 * of a script without spaces.
 */
function isWordStart(names: NameBuffer, position: number): boolean {
  const { bytes } = names;
  const before = bytes[position - 1] ?? 0;
  const byte = bytes[position] ?? 0;
  if (before < 0x80 && !isLetter(before) && !isDigit(before)) return true;
  // The first bytes of Kana, Han and Hangul in UTF-8.
  if (byte >= 0xe3 && byte <= 0xed) return true;
  if (isDigit(before) !== isDigit(byte) && before < 0x80) return true;
  return names.isUpperAt(position) && !names.isUpperAt(position - 1);
}

/** The position of a word in a name: from `start` to `end`, the word at `position`. */
export interface NameHit {
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly length: number;
}

/** Returns the class of the match at a position of a name. */
export function matchClass(columns: Columns, { start, end, position, length }: NameHit): number {
  const { bytes } = columns.names;
  if (position === start) {
    if (position + length === end) return wholeName;
    if (bytes[position + length] === 0x2e && isLastDot(bytes, position + length, end)) return wholeName;
    return nameStart;
  }
  return isWordStart(columns.names, position) ? wordStart : inside;
}

/** Whether the dot at `position` begins the extension. */
function isLastDot(bytes: Uint8Array, position: number, end: number): boolean {
  for (let at = position + 1; at < end; at++) if (bytes[at] === 0x2e) return false;
  return true;
}

/** The time, the open folder and the recent entries of the user, on which the points of an entry depend. */
export interface RankContext {
  /** Unix seconds. */
  readonly now: number;
  /** The folder that is open; `noEntry` without one. */
  readonly near: number;
  /** The points of recent entries of the user; see {@link usePoints}. */
  readonly used: ReadonlyMap<number, number>;
}

/** The points for the days since an entry was changed: from 120 for today down to 0 after about three years. */
const recentPoints = Float64Array.from({ length: 1024 }, (_, days) => 120 - 12 * Math.log2(1 + days));
/** Returns the points of an entry that was changed `days` ago; a time in the future counts as today. */
const pointsOfDays = (days: number): number =>
  days < recentPoints.length ? (recentPoints[Math.max(0, days)] ?? 0) : 0;
/** The points for each folder less than this number above an entry. */
const maxFolders = 8;
const pointsPerFolder = 5;
const depthPoints = maxFolders * pointsPerFolder;
/** A name has one point for each byte by which it is shorter than this. */
const longName = 80;
const folderPoints = 40;
const nearPoints = 100;
const maxUsePoints = 100;
const usedBits = 0xfff;

/** Returns the points of an entry that the user opened, saved or uploaded `days` ago: from 100 down to 0 after about four months. */
export const usePoints = (days: number): number =>
  Math.max(0, maxUsePoints - 14 * Math.log2(1 + Math.max(0, days)));

/** Computes the points on which the order of the results of one search depends. */
export class Ranker {
  readonly #columns: Columns;
  readonly #context: RankContext;
  readonly #hasNear: boolean;
  /** The most points of those that take longer to compute. */
  readonly #possible: number;
  /** For each value of the last bits of an entry’s number whether there is a recent entry with it: most others need no further look. */
  readonly #mayBeUsed = new Uint8Array(usedBits + 1);
  /** The blocks that contain names of recent entries. */
  readonly #usedBlocks = new Set<number>();
  /** {@link Ranker.#mostPointsIn} of the blocks for which it was computed, otherwise 0. */
  #blockPoints: Uint16Array | null = null;

  constructor(columns: Columns, context: RankContext) {
    this.#columns = columns;
    this.#context = context;
    this.#hasNear = context.near !== noEntry;
    this.#possible = depthPoints + (this.#hasNear ? nearPoints : 0);
    for (const entry of context.used.keys()) {
      this.#mayBeUsed[entry & usedBits] = 1;
      const last = blockOf(columns.nameEndOf(entry));
      for (let block = blockOf(columns.offsets[entry] ?? 0); block <= last; block++)
        this.#usedBlocks.add(block);
    }
  }

  /**
   * Whether an entry with a word at `position` of its name can have `least` points; `isWhole` says that it is of the class
   * {@link wholeName}. Needs no entry, so that most of the hits of a frequent word cost little.
   */
  mayReach(position: number, least: number, isWhole: boolean): boolean {
    const { names } = this.#columns;
    let matched = wholeName;
    if (!isWhole && names.bytes[position - 1] !== 0) {
      if (least > wordStart * classPoints + maxPoints) return false;
      matched = isWordStart(names, position) ? wordStart : inside;
    }
    const missing = least - matched * classPoints;
    if (missing > maxPoints) return false;
    const block = blockOf(position);
    const points = (this.#blockPoints ??= new Uint16Array(blockOf(names.end) + 1));
    const known = points[block] ?? 0;
    return (known === 0 ? (points[block] = this.#mostPointsIn(block)) : known) >= missing;
  }

  /** The most points of the entries in a block besides those for the class, rounded up. */
  #mostPointsIn(block: number): number {
    const { newestDays, shortness } = this.#columns.bounds;
    const today = Math.floor(this.#context.now / daySeconds);
    return (
      folderPoints +
      this.#possible +
      Math.ceil(pointsOfDays(today - (newestDays[block] ?? 0))) +
      Math.max(0, longName - shortestLength(shortness[block] ?? 0)) +
      (this.#usedBlocks.has(block) ? maxUsePoints : 0)
    );
  }

  /**
   * Returns the points of an entry with the match class `matched`: for the class, a recent change, a folder, a short name, few
   * folders above it, being in the open folder, and recent use. If the points cannot reach `least`, the count ends early.
   */
  score(entry: number, matched: number, nameLength: number, least: number): number {
    const columns = this.#columns;
    const { now, near, used } = this.#context;
    const certain =
      matched * classPoints +
      pointsOfDays(Math.floor((now - columns.timeOf(entry)) / daySeconds)) +
      (columns.kindOf(entry) === folderKind ? folderPoints : 0) +
      Math.max(0, longName - nameLength) +
      (this.#mayBeUsed[entry & usedBits] === 1 ? (used.get(entry) ?? 0) : 0);
    if (certain + this.#possible < least) return certain;
    let depth = 0;
    for (let at = columns.parentOf(entry); at !== rootEntry && depth < maxFolders; at = columns.parentOf(at))
      depth++;
    const isNear = this.#hasNear && columns.isBelow(entry, near);
    return certain + (maxFolders - depth) * pointsPerFolder + (isNear ? nearPoints : 0);
  }
}
