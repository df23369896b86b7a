import type { ReplacedState } from '../../storage/kept/kept-entries.ts';

/** An empty file younger than this is not kept: many programs create a file empty and then replace it with its content. */
const emptyFileMs = 60_000;

/** Names of files that programs write unasked: metadata of folders, and lock files of open documents. */
const unkeptNames: readonly RegExp[] = [
  /^\.DS_Store$/,
  /^\._/,
  /^Thumbs\.db$/i,
  /^desktop\.ini$/i,
  /^~\$/,
  /^\.~lock\..*#$/,
];

/** Whether the former state of a file is kept when it is replaced at `time` (Unix milliseconds). */
export function isWorthKeeping({ name, size, modifiedNs }: ReplacedState, time: number): boolean {
  if (unkeptNames.some((pattern) => pattern.test(name))) return false;
  return size !== 0 || time - Number(modifiedNs / 1_000_000n) >= emptyFileMs;
}
