import fs, { type Dirent } from 'node:fs';
import { exclusionTest } from '../paths/exclusions.ts';
import { at, type Folder } from '../paths/folder.ts';
import type { SharedScopeRoot } from '../paths/shared-scope-root.ts';
import { isReservedName } from '../paths/temporary-names.ts';
import { readEntries } from '../read-folder.ts';
import { scannedKinds, type ScannedFolder, type ScannedState } from './scan-protocol.ts';

/** A long reading may pause after each of this number of entries. */
const entriesPerStep = 16;
/** A folder that was changed within this time (milliseconds) may change again without a new time of change. */
const settleMs = 2_000;

const fileKind = scannedKinds.indexOf('file');
const folderKind = scannedKinds.indexOf('folder');
const linkKind = scannedKinds.indexOf('link');
const specialKind = scannedKinds.indexOf('special');

/** Returns the kind of an entry as {@link ScannedFolder.kinds} holds it. */
function kindOf(entry: fs.Stats | Dirent): number {
  if (entry.isFile()) return fileKind;
  if (entry.isDirectory()) return folderKind;
  return entry.isSymbolicLink() ? linkKind : specialKind;
}

/**
 * Returns the time of change of a folder in Unix milliseconds with fractions: its ctime, because programs that unpack or
 * synchronize set the modification time to an earlier one.
 */
export const changeTimeOf = (stats: fs.Stats): number => stats.ctimeMs;

/** The report about a folder that was not read. */
export const unreadFolder = (path: string, state: Exclude<ScannedState, 'read'>): ScannedFolder => ({
  path,
  state,
  time: Number.NaN,
  modified: Number.NaN,
  names: '',
  kinds: new Uint8Array(0),
  sizes: new Float64Array(0),
  blocks: new Float64Array(0),
  times: new Float64Array(0),
});

/** Returns the test for names of a folder that are neither reserved nor excluded. */
function scanTest({ exclusions }: SharedScopeRoot, folder: Folder): (name: string) => boolean {
  const isExcluded = exclusionTest(exclusions, folder);
  return (name) => !isReservedName(name) && !isExcluded(name);
}

/** The columns of {@link ScannedFolder}. */
type ScannedEntries = Omit<ScannedFolder, 'path' | 'state' | 'time' | 'modified' | 'missing'>;

/**
 * Reads the metadata of entries, links not followed. Missing entries are left out and added to `missing`. Yields from time
 * to time, so that the caller can pause.
 */
function* scanEntries(
  folder: Folder,
  entries: readonly { readonly name: string; readonly kind: number | null }[],
  inodes: ReadonlySet<number>,
  missing: string[] = [],
): Generator<undefined, ScannedEntries> {
  const names: string[] = [];
  const marked: string[] = [];
  const kinds = new Uint8Array(entries.length);
  const sizes = new Float64Array(entries.length);
  const blocks = new Float64Array(entries.length);
  const times = new Float64Array(entries.length);
  for (const [i, { name, kind }] of entries.entries()) {
    if (i % entriesPerStep === entriesPerStep - 1) yield;
    const count = names.length;
    let stats: fs.Stats | undefined;
    try {
      stats = fs.lstatSync(at(folder, name), { throwIfNoEntry: false });
      if (stats === undefined) {
        missing.push(name);
        continue;
      }
    } catch {
      // The folder may be listed but not searched: only name and kind are known.
      if (kind === null) continue;
    }
    kinds[count] = stats === undefined ? (kind ?? fileKind) : kindOf(stats);
    const file = stats?.isFile() === true ? stats : undefined;
    sizes[count] = file?.size ?? 0;
    blocks[count] = file?.blocks ?? 0;
    times[count] = stats === undefined ? 0 : Math.floor(stats.mtimeMs / 1000);
    names.push(name);
    if (stats !== undefined && inodes.has(stats.ino)) marked.push(name);
  }
  const { length } = names;
  return {
    names: names.join('\0'),
    kinds: kinds.slice(0, length),
    sizes: sizes.slice(0, length),
    blocks: blocks.slice(0, length),
    times: times.slice(0, length),
    ...(marked.length > 0 && { marked }),
  };
}

/**
 * Reads an open folder: names, and the metadata of each entry, links not followed. Leaves out reserved and excluded names.
 * Entries with one of `inodes` are reported by name. Yields from time to time, so that the caller can pause.
 */
export function* scanFolder(
  scopeRoot: SharedScopeRoot,
  folder: Folder,
  path: string,
  inodes: ReadonlySet<number>,
): Generator<undefined, ScannedFolder> {
  let time: number;
  let modified: number;
  let dirents: Dirent[];
  try {
    const stats = fs.lstatSync(at(folder, '.'));
    time = changeTimeOf(stats);
    modified = Math.floor(stats.mtimeMs / 1000);
    if (Math.abs(Date.now() - time) < settleMs) time = Number.NaN;
    const isScanned = scanTest(scopeRoot, folder);
    dirents = readEntries(folder).filter(({ name }) => isScanned(name));
  } catch {
    return unreadFolder(path, 'unreadable');
  }
  const entries = dirents.map((dirent) => ({ name: dirent.name, kind: kindOf(dirent) }));
  return { path, state: 'read', time, modified, ...(yield* scanEntries(folder, entries, inodes)) };
}

/** Reads the entries of an open folder that have these names, as {@link scanFolder} does. The time of the folder is NaN. */
export function* scanNames(
  scopeRoot: SharedScopeRoot,
  folder: Folder,
  path: string,
  { names, inodes }: { readonly names: readonly string[]; readonly inodes: ReadonlySet<number> },
): Generator<undefined, ScannedFolder> {
  const missing: string[] = [];
  const entries = names.filter(scanTest(scopeRoot, folder)).map((name) => ({ name, kind: null }));
  const scanned = yield* scanEntries(folder, entries, inodes, missing);
  let modified = Number.NaN;
  try {
    modified = Math.floor(fs.lstatSync(at(folder, '.')).mtimeMs / 1000);
  } catch {
    // The next whole reading finds it.
  }
  return { path, state: 'read', time: Number.NaN, modified, ...scanned, missing };
}
