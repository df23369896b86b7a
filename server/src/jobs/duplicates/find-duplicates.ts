import { createHash } from 'node:crypto';
import type { ErrorCode } from '@filestead/contract/errors';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import { forEachConcurrently } from '../../scheduling/for-each-concurrently.ts';
import type { Party } from '../../scheduling/party.ts';
import { checksum } from '../../storage/checksums/checksum.ts';
import { readFully } from '../../storage/read-fully.ts';
import type { Entry, OpenFile, Storage } from '../../storage/storage.ts';

/** Maximum number of files of one search. */
const maxFiles = 500_000;
/** The number of files that are read at once. */
const parallelReads = 2;
/** The number of bytes at the beginning and at the end of a file that are compared first. */
const endBytes = 8 * 1024;

/** A file whose contents equal those of others of its group. */
export interface EqualFile {
  readonly path: VirtualPath;
  readonly modifiedNs: bigint;
}

/** Files with equal contents, at least two. */
export interface EqualFiles {
  /** Bytes of each file. */
  readonly size: number;
  /** SHA-256 of the contents, in hexadecimal. */
  readonly checksum: string;
  readonly files: readonly EqualFile[];
}

/** The methods of a storage that the search calls. */
export type ComparedStorage = Pick<Storage, 'stat' | 'walk' | 'openFile'>;

/** A search for files with equal contents. */
export interface FindDuplicates {
  readonly folder: VirtualPath;
  /** Calls `work` with the storage of the user as the user's permissions are now. */
  readonly withStorage: <T>(work: (storage: ComparedStorage) => Promise<T>) => Promise<T>;
  /** The party on whose behalf files are read. */
  readonly party: Party;
  readonly signal: AbortSignal;
  /** Called with each path that is read. */
  readonly onCurrent: (path: VirtualPath) => void;
  /** Called once the files that have to be compared are known. */
  readonly onCounted: (total: { readonly files: number; readonly bytes: number }) => void;
  /** Called with progress since the last call. The bytes of a file count once, also if fewer had to be read. */
  readonly onProgress: (done: { readonly files: number; readonly bytes: number }) => void;
  /** Called with a file that could not be read. */
  readonly onFailure: (path: VirtualPath, code: ErrorCode) => void;
  /** Called with each group. Returns whether the search continues. */
  readonly onGroup: (group: EqualFiles) => boolean;
}

/** A file that is being compared. */
interface Candidate {
  readonly path: VirtualPath;
  readonly entry: Entry;
  /** A digest of the beginning and the end. */
  readonly ends: string;
}

/**
 * Finds files with equal contents below a folder: among files of one size those whose beginning and end are equal, and among these
 * those with one checksum. The groups that may free the most space are first. Throws `not_found`, `not_a_folder`, and
 * `payload_too_large` when there are more than {@link maxFiles} files.
 */
export async function findDuplicates(search: FindDuplicates): Promise<void> {
  const bySize = await search.withStorage((storage) => collectBySize(storage, search));
  const groups = [...bySize]
    .filter(([, paths]) => paths.length > 1)
    .sort(([sizeA, a], [sizeB, b]) => sizeB * (b.length - 1) - sizeA * (a.length - 1));
  bySize.clear();
  const files = groups.reduce((sum, [, paths]) => sum + paths.length, 0);
  const bytes = groups.reduce((sum, [size, paths]) => sum + size * paths.length, 0);
  search.onCounted({ files, bytes });
  for (const [size, paths] of groups) {
    search.signal.throwIfAborted();
    // The permissions may change while a large folder is compared.
    const equal = await search.withStorage((storage) => compareContents(storage, size, paths, search));
    for (const group of equal) if (!search.onGroup(group)) return;
  }
}

/** Returns the paths of all files below a folder that are not empty, by size. Links are left out. */
async function collectBySize(
  storage: ComparedStorage,
  { folder, signal, onCurrent }: FindDuplicates,
): Promise<Map<number, VirtualPath[]>> {
  const top = await storage.stat(folder);
  if (top === null) throw new AppError('not_found');
  if (top.kind !== 'folder') throw new AppError('not_a_folder');
  const bySize = new Map<number, VirtualPath[]>();
  let count = 0;
  for await (const { path, entry } of storage.walk(folder, { signal })) {
    if (entry.kind === 'folder') onCurrent(path);
    if (entry.kind !== 'file' || entry.isSymlink || entry.size === 0) continue;
    if (++count > maxFiles)
      throw new AppError('payload_too_large', `a search for duplicates compares at most ${maxFiles} files`);
    const paths = bySize.get(entry.size);
    if (paths === undefined) bySize.set(entry.size, [path]);
    else paths.push(path);
  }
  return bySize;
}

/** Compares files of one size, and returns the groups of equal ones. */
async function compareContents(
  storage: ComparedStorage,
  size: number,
  paths: readonly VirtualPath[],
  search: FindDuplicates,
): Promise<EqualFiles[]> {
  const byEnds = new Map<string, Candidate[]>();
  const identities = new Set<string>();
  await eachFile(paths, search, async (path) => {
    const candidate = await readFile(storage, path, size, async (file) => digestOfEnds(file));
    // Removing a hard link frees no space.
    const { device, inode } = candidate?.entry ?? {};
    const identity = inode === undefined ? path : `${String(device)} ${String(inode)}`;
    if (candidate === null || identities.has(identity)) {
      search.onProgress({ files: 1, bytes: size });
      return;
    }
    identities.add(identity);
    const { entry, value: ends } = candidate;
    const alike = byEnds.get(ends);
    if (alike === undefined) byEnds.set(ends, [{ path, entry, ends }]);
    else alike.push({ path, entry, ends });
  });
  const groups: EqualFiles[] = [];
  for (const alike of byEnds.values()) {
    if (alike.length === 1) search.onProgress({ files: 1, bytes: size });
    else groups.push(...(await compareWhole(storage, size, alike, search)));
  }
  return groups;
}

/** Compares the checksums of files whose beginning and end are equal. */
async function compareWhole(
  storage: ComparedStorage,
  size: number,
  alike: readonly Candidate[],
  search: FindDuplicates,
): Promise<EqualFiles[]> {
  const byChecksum = new Map<string, EqualFile[]>();
  const candidates = new Map(alike.map((candidate) => [candidate.path, candidate]));
  await eachFile([...candidates.keys()], search, async (path) => {
    // A file that consists of its ends has their digest as its checksum.
    let hex = size <= 2 * endBytes ? candidates.get(path)?.ends : undefined;
    let entry = candidates.get(path)?.entry;
    let counted = 0;
    if (hex === undefined) {
      const whole = await readFile(storage, path, size, (file) =>
        checksum(file, 'sha256', {
          party: search.party,
          signal: search.signal,
          onProgress(bytes) {
            const more = Math.min(bytes, size) - counted;
            if (more <= 0) return;
            counted += more;
            search.onProgress({ files: 0, bytes: more });
          },
        }),
      );
      hex = whole?.value;
      entry = whole?.entry;
    }
    search.onProgress({ files: 1, bytes: size - counted });
    if (hex === undefined || entry === undefined) return;
    const file: EqualFile = { path, modifiedNs: entry.modifiedNs };
    const equal = byChecksum.get(hex);
    if (equal === undefined) byChecksum.set(hex, [file]);
    else equal.push(file);
  });
  return [...byChecksum]
    .filter(([, files]) => files.length > 1)
    .map(([hex, files]) => ({ size, checksum: hex, files }));
}

/**
 * Calls `work` with each path, a few at once. A file that cannot be read is reported, and one that no longer exists is not; both
 * count as compared.
 */
async function eachFile(
  paths: readonly VirtualPath[],
  { signal, onCurrent, onFailure, onProgress }: FindDuplicates,
  work: (path: VirtualPath) => Promise<void>,
): Promise<void> {
  await forEachConcurrently(paths, parallelReads, async (path) => {
    signal.throwIfAborted();
    onCurrent(path);
    try {
      await work(path);
    } catch (error) {
      if (signal.aborted || !isAppError(error)) throw error;
      if (error.code !== 'not_found') onFailure(path, error.code);
      onProgress({ files: 1, bytes: 0 });
    }
  });
}

/** Reads a file of which the size is known; null if it has another size now, or is a link. */
async function readFile<T>(
  storage: ComparedStorage,
  path: VirtualPath,
  size: number,
  read: (file: OpenFile) => Promise<T>,
): Promise<{ entry: Entry; value: T } | null> {
  const file = await storage.openFile(path);
  try {
    const { entry } = file;
    if (entry.kind !== 'file' || entry.isSymlink || entry.size !== size) return null;
    return { entry, value: await read(file) };
  } finally {
    await file.close();
  }
}

/** Returns SHA-256 of the first and the last bytes of a file; of all of them if the file is that short. */
async function digestOfEnds(file: OpenFile): Promise<string> {
  const { size } = file.entry;
  const digest = createHash('sha256');
  const buffer = Buffer.alloc(2 * endBytes);
  if (size <= buffer.length) digest.update(await readAt(file, buffer.subarray(0, size), 0));
  else {
    digest.update(await readAt(file, buffer.subarray(0, endBytes), 0));
    digest.update(await readAt(file, buffer.subarray(endBytes), size - endBytes));
  }
  return digest.digest('hex');
}

/** Fills `buffer` from a position of a file; returns the part that was read before the end. */
const readAt = async (file: OpenFile, buffer: Uint8Array, position: number): Promise<Uint8Array> =>
  buffer.subarray(0, await readFully(file, buffer, position));
