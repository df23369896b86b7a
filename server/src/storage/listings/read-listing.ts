import fs, { type Dirent, type Stats } from 'node:fs';
import { naturalOrder } from '@filestead/contract/paths/natural-order';
import { isAppError } from '../../errors.ts';
import { isErrno, type RawPath } from '../disk/paths/syscalls.ts';
import { exclusionTest } from '../disk/paths/exclusions.ts';
import { kindOf } from '../disk/paths/metadata.ts';
import { at } from '../disk/paths/folder.ts';
import { toRawPath } from '../disk/paths/raw-names.ts';
import { findEntry, type Found } from '../disk/read-entry.ts';
import { readEntries } from '../disk/read-folder.ts';
import { runSync } from '../disk/paths/steps.ts';
import { isReservedName } from '../disk/paths/temporary-names.ts';
import type { ListingJob, ListingMessage } from './listing-protocol.ts';
import { batchKinds, type EntryArrays, type EntryBatch } from '../storage.ts';

/** Batch sizes: the first batch fills a screen; later ones grow to reduce the number of messages. */
const batchSizes = [200, 1000, 4000, 8000] as const;
/** The number of names per message: unpacking more would block the event loop. */
const namesPerMessage = 4096;

type Links = Map<string, Found | null>;

/** An open folder of a scope. */
export type ListedPlace = Pick<ListingJob, 'scopeRoot' | 'folder'>;

/** The visible names among `dirents`, folders first, in natural order. */
export function orderNames(
  { scopeRoot, folder }: ListedPlace,
  dirents: readonly Dirent[],
  isFolder: (dirent: Dirent) => boolean = (dirent) => dirent.isDirectory(),
): { names: string[]; folderCount: number } {
  const folders: string[] = [];
  const others: string[] = [];
  const isExcluded = exclusionTest(scopeRoot.exclusions, folder);
  for (const dirent of dirents) {
    const { name } = dirent;
    if (isReservedName(name) || isExcluded(name)) continue;
    (isFolder(dirent) ? folders : others).push(name);
  }
  const names: string[] = [];
  appendSorted(folders, names);
  appendSorted(others, names);
  return { names, folderCount: folders.length };
}

/** The visible names of a folder, folders first, in natural order. Links are resolved meanwhile. */
class Names {
  readonly ordered: readonly string[];
  readonly folderCount: number;
  readonly links: Links = new Map();
  readonly #job: ListingJob;

  constructor(job: ListingJob) {
    this.#job = job;
    const { names, folderCount } = orderNames(job, readEntries(job.folder), (dirent) =>
      this.#isFolder(dirent),
    );
    this.ordered = names;
    this.folderCount = folderCount;
  }

  #isFolder(dirent: Dirent): boolean {
    if (dirent.isDirectory()) return true;
    if (!dirent.isSymbolicLink()) return false;
    const found = findLink(this.#job, dirent.name);
    this.links.set(dirent.name, found);
    return found?.entry.kind === 'folder';
  }
}

function findLink({ scopeRoot, names }: ListingJob, name: string): Found | null {
  try {
    return runSync(findEntry(scopeRoot, [...names, name]));
  } catch (error) {
    // The folder itself has been moved or replaced since it was opened, or cannot be reached by its path.
    if (isAppError(error) || isErrno(error, 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

function appendSorted(names: readonly string[], target: string[]): void {
  for (const position of naturalOrder(names)) target.push(names[position] ?? '');
}

/** The metadata of `path`, links not followed; null when the entry does not exist or cannot be read. */
function statOf(path: RawPath): Stats | null {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'ENOTDIR', 'EIO', 'ESTALE')) return null;
    throw error;
  }
}

const goneKind = batchKinds.indexOf('gone');

function setStats(arrays: EntryArrays, i: number, stats: Stats): void {
  arrays.sizes[i] = stats.size;
  arrays.modifiedMs[i] = Math.floor(stats.mtimeMs);
  arrays.modes[i] = stats.mode;
  arrays.kinds[i] = batchKinds.indexOf(kindOf(stats.mode));
  // A link that took a file's place after the folder was read is no longer followed.
  arrays.links[i] = stats.isSymbolicLink() ? 1 : 0;
}

/** Sets the metadata of the entry `name`, which was not a link when the folder was read, at position `i`. */
export function fillEntry(
  arrays: EntryArrays,
  i: number,
  { scopeRoot, folder }: ListedPlace,
  name: string,
): void {
  const stats = statOf(at(folder, name));
  const isSeen =
    stats !== null &&
    !scopeRoot.exclusions.some(
      ({ self }) => self !== null && Number(self.inode) === stats.ino && Number(self.device) === stats.dev,
    );
  if (isSeen) setStats(arrays, i, stats);
  else arrays.kinds[i] = goneKind;
}

class Batch implements EntryBatch {
  readonly first: number;
  readonly count: number;
  readonly sizes: Float64Array;
  readonly modifiedMs: Float64Array;
  readonly modes: Uint32Array;
  readonly kinds: Uint8Array;
  readonly links: Uint8Array;

  constructor(first: number, count: number) {
    this.first = first;
    this.count = count;
    this.sizes = new Float64Array(count);
    this.modifiedMs = new Float64Array(count);
    this.modes = new Uint32Array(count);
    this.kinds = new Uint8Array(count).fill(goneKind);
    this.links = new Uint8Array(count);
  }

  setLink(i: number, { entry }: Found): void {
    this.sizes[i] = entry.size;
    this.modifiedMs[i] = Number(entry.modifiedNs / 1_000_000n);
    this.modes[i] = entry.mode;
    this.kinds[i] = batchKinds.indexOf(entry.kind);
    this.links[i] = 1;
  }
}

function readBatch(job: ListingJob, names: Names, first: number, count: number): Batch {
  const batch = new Batch(first, count);
  for (let i = 0; i < count; i++) {
    const name = names.ordered[first + i] ?? '';
    const link = names.links.get(name);
    if (link !== undefined) {
      if (link !== null) batch.setLink(i, link);
      continue;
    }
    fillEntry(batch, i, job, name);
  }
  return batch;
}

function* nameMessages(id: number, names: Names): Generator<ListingMessage> {
  const { ordered, folderCount } = names;
  const targets: [number, readonly string[]][] = [];
  if (names.links.size > 0) {
    for (const [position, name] of ordered.entries()) {
      const target = names.links.get(name)?.target;
      if (target != null) targets.push([position, target]);
    }
  }
  for (let first = 0; ; first += namesPerMessage) {
    const chunk = ordered.slice(first, first + namesPerMessage);
    const isLast = first + namesPerMessage >= ordered.length;
    yield {
      id,
      kind: 'names',
      text: chunk.join('/'),
      count: chunk.length,
      folderCount,
      targets: isLast ? targets : [],
      isLast,
    };
    if (isLast) return;
  }
}

/** Whether the folder at `path` contains more than `limit` entries. Reads no more entries than necessary. */
function hasMoreThan(path: string, limit: number): boolean {
  if (limit === Number.POSITIVE_INFINITY) return false;
  const folder = fs.opendirSync(toRawPath(path), { bufferSize: 1024 });
  try {
    for (let count = 0; count <= limit; count++) if (folder.readSync() === null) return false;
    return true;
  } finally {
    folder.closeSync();
  }
}

/** Reads the folder of `job` without opening any entry. Each step takes at most a few dozen milliseconds. */
export function* readListing(job: ListingJob): Generator<ListingMessage> {
  if (hasMoreThan(job.folder.base, job.maxEntries)) {
    yield { id: job.id, kind: 'large' };
    return;
  }
  const names = new Names(job);
  yield* nameMessages(job.id, names);
  for (let first = 0, turn = 0; first < names.ordered.length; turn++) {
    const count = Math.min(batchSizes[turn] ?? batchSizes[3], names.ordered.length - first);
    yield { id: job.id, kind: 'batch', batch: readBatch(job, names, first, count) };
    first += count;
  }
}
