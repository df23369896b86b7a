import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The content of a folder: a line for each entry, by its relative path. */
export type Snapshot = ReadonlyMap<string, string>;

/** Larger files are compared by size and times only. */
const maxHashedBytes = 4 * 1024 * 1024;

function describe(path: Buffer, stats: BigIntStats): string {
  const state = `${stats.mode.toString(8)} ${stats.mtimeNs} ${stats.ino}`;
  if (stats.isSymbolicLink()) return `${state} -> ${readlinkSync(path)}`;
  if (!stats.isFile()) return state;
  if (stats.size > maxHashedBytes) return `${state} ${stats.size}`;
  try {
    return `${state} ${stats.size} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  } catch {
    return `${state} ${stats.size} unreadable`;
  }
}

/** Everything below `top`, links not followed; `skipped` are names directly below it. */
export function snapshot(top: string, skipped: readonly string[] = []): Snapshot {
  const found = new Map<string, string>();
  const visit = (relative: string): void => {
    for (const name of readdirSync(join(top, relative), { encoding: 'buffer' })) {
      // Names that are not UTF-8 are compared as bytes.
      const text = name.toString('latin1');
      if (relative === '' && skipped.includes(text)) continue;
      const path = Buffer.concat([Buffer.from(`${join(top, relative)}/`, 'latin1'), name]);
      const below = relative === '' ? text : `${relative}/${text}`;
      const stats = lstatSync(path, { bigint: true });
      found.set(below, describe(path, stats));
      if (stats.isDirectory()) visit(below);
    }
  };
  visit('');
  return found;
}

/** The paths that were added, removed or changed, but for those below one of `allowed`. */
export function changesBetween(before: Snapshot, after: Snapshot, allowed: readonly string[]): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const isAllowed = (path: string): boolean =>
    allowed.some((prefix) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`));
  return [...paths].filter((path) => !isAllowed(path) && before.get(path) !== after.get(path)).sort();
}
