import { type Columns, noEntry } from '../columns/columns.ts';
import { folderKind } from '../columns/entry-kinds.ts';

/** How a word is in a name, the weakest first. */
export const inside = 0;
export const wordStart = 1;
export const nameStart = 2;
export const wholeName = 3;
/** One typing error away. */
export const similarName = -1;

/** The points of one step of {@link matchClass}, which outweigh all other points together. */
const classPoints = 1000;
/** The most points besides those for the class. */
const maxPoints = 400;

const daySeconds = 86_400;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

/**
 * Whether a word begins at `position` of a folded name: after a sign, between a letter and a digit, at a capital, or at a character
 * of a script without spaces.
 */
function isWordStart(bytes: Uint8Array, position: number, isUpper: (position: number) => boolean): boolean {
  const before = bytes[position - 1] ?? 0;
  const byte = bytes[position] ?? 0;
  if (before < 0x80 && !isLetter(before) && !isDigit(before)) return true;
  // Kana, Han and Hangul have three bytes that begin with these.
  if (byte >= 0xe3 && byte <= 0xed) return true;
  if (isDigit(before) !== isDigit(byte) && before < 0x80) return true;
  return isUpper(position) && !isUpper(position - 1);
}

/** The position of a text in a name: from `start` to `end`, the text at `position`. */
export interface NameHit {
  readonly start: number;
  readonly end: number;
  readonly position: number;
  readonly length: number;
}

/** How the text at a position is in its name. */
export function matchClass(columns: Columns, { start, end, position, length }: NameHit): number {
  const { bytes } = columns.names;
  if (position === start) {
    if (position + length === end) return wholeName;
    if (bytes[position + length] === 0x2e && isLastDot(bytes, position + length, end)) return wholeName;
    return nameStart;
  }
  return isWordStart(bytes, position, (at) => columns.names.isUpperAt(at)) ? wordStart : inside;
}

/** Whether the dot at `position` begins the extension. */
function isLastDot(bytes: Uint8Array, position: number, end: number): boolean {
  for (let at = position + 1; at < end; at++) if (bytes[at] === 0x2e) return false;
  return true;
}

/** Values that the points of an entry depend on. */
export interface RankContext {
  /** Unix seconds. */
  readonly now: number;
  /** The folder that is open; `noEntry` without one. */
  readonly near: number;
}

/** The points for the days since an entry was changed: from 120 for today down to 0 after about three years. */
const recentPoints = Float64Array.from({ length: 1024 }, (_, days) => 120 - 12 * Math.log2(1 + days));
/** The most points for few folders above an entry: five for each one less than eight. */
const depthPoints = 40;
const nearPoints = 100;

/** The most points that an entry of a class may have. */
export const mostPointsOf = (matched: number): number => matched * classPoints + maxPoints;

/**
 * The points of an entry whose name contains a word in the way `matched`: for the class, and besides for a recent change, a folder,
 * a short name, few folders above it, and the open folder. Points that cannot reach `least` are not counted to the end.
 */
export function scoreOf(
  columns: Columns,
  entry: number,
  { matched, nameLength, least }: { matched: number; nameLength: number; least: number },
  { now, near }: RankContext,
): number {
  const days = Math.max(0, Math.floor((now - columns.timeOf(entry)) / daySeconds));
  const sure =
    matched * classPoints +
    (recentPoints[days] ?? 0) +
    (columns.kindOf(entry) === folderKind ? 40 : 0) +
    Math.max(0, 80 - nameLength);
  const hasNear = near !== noEntry;
  if (sure + depthPoints + (hasNear ? nearPoints : 0) < least) return sure;
  let depth = 0;
  for (let at = columns.parentOf(entry); at !== 0 && depth < 8; at = columns.parentOf(at)) depth++;
  const isNear = hasNear && columns.isBelow(entry, near);
  return sure + (8 - depth) * 5 + (isNear ? nearPoints : 0);
}
