import type {
  DuplicateFile,
  DuplicateGroup,
  DuplicatesResult,
} from '@filestead/contract/endpoints/duplicates';
import type { JobResult } from '@filestead/contract/jobs';
import { nameOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError, isAppError } from '../../errors.ts';
import type { EntryViews } from '../../http/files/content-views.ts';
import { forEachConcurrently } from '../../scheduling/for-each-concurrently.ts';
import type { Entry } from '../../storage/storage.ts';
import type { NarrowedStorage } from '../../storage/views/narrow-to.ts';
import type { JobRecord } from '../job-record.ts';
import { type DuplicateResult, maxDuplicateFiles } from './run-duplicates.ts';

/** The number of files whose metadata is read at once. */
const parallelReads = 16;

/** The parts of {@link listDuplicates}. */
export interface ListDuplicates {
  readonly job: JobRecord;
  readonly results: AsyncIterable<readonly JobResult[]>;
  /** The storage of the user with the permissions that they have now. */
  readonly storage: NarrowedStorage;
  /** Maximum number of groups. */
  readonly limit: number;
  readonly views: EntryViews;
}

/** The folder in which a job has searched. Only files are listed that the user can reach from it through listings. */
interface SearchedFolder {
  readonly storage: NarrowedStorage;
  readonly folder: VirtualPath;
}

const isDuplicate = (result: JobResult): result is DuplicateResult => 'modifiedNs' in result;

/**
 * Lists the duplicates that a job has found so far. Files that the user may not list now, and files that have changed since, are left out.
 * Throws `not_found` for another kind of job.
 */
export async function listDuplicates({
  job,
  results,
  storage,
  limit,
  views,
}: ListDuplicates): Promise<DuplicatesResult> {
  if (job.folder === null) throw new AppError('not_found');
  const searched = { storage, folder: job.folder };
  const { groups, count, unreadable } = await collectGroups(results, searched);
  const listed: DuplicateGroup[] = [];
  let hasMore = count >= maxDuplicateFiles;
  for (const files of groups) {
    const group = await presentGroup(files, searched, views);
    if (group === null) continue;
    if (listed.length === limit) {
      hasMore = true;
      break;
    }
    listed.push(group);
  }
  return { folder: job.folder, groups: listed, more: hasMore, unreadable };
}

/** Reads the groups from the results of a job, those that free the most space first. */
async function collectGroups(
  results: AsyncIterable<readonly JobResult[]>,
  { storage, folder }: SearchedFolder,
): Promise<{ groups: DuplicateResult[][]; count: number; unreadable: number }> {
  // A job that was interrupted and continued reports some files twice.
  const files = new Map<string, DuplicateResult>();
  const unreadable = new Set<string>();
  for await (const part of results) {
    for (const result of part) {
      if (isDuplicate(result)) files.set(result.path, result);
      else if (storage.isShown(virtualPath(result.path), folder)) unreadable.add(result.path);
    }
  }
  const groups = new Map<string, DuplicateResult[]>();
  for (const file of files.values()) {
    const key = `${file.size} ${file.checksum}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  const freed = (group: readonly DuplicateResult[]): number => (group[0]?.size ?? 0) * (group.length - 1);
  return {
    groups: [...groups.values()].sort((a, b) => freed(b) - freed(a)),
    count: files.size,
    unreadable: unreadable.size,
  };
}

/** A file of a group, with its exact modification time. */
interface FoundFile {
  readonly file: DuplicateFile;
  readonly modifiedNs: bigint;
}

/** Orders files by modification time, the oldest first, and then by path. */
function byAge(a: FoundFile, b: FoundFile): number {
  if (a.modifiedNs !== b.modifiedNs) return a.modifiedNs < b.modifiedNs ? -1 : 1;
  return a.file.path < b.file.path ? -1 : 1;
}

/** Returns the files of a group that are still equal and may be listed; null if fewer than two are left. */
async function presentGroup(
  files: readonly DuplicateResult[],
  searched: SearchedFolder,
  { typeOf, formatModified }: EntryViews,
): Promise<DuplicateGroup | null> {
  const found: FoundFile[] = [];
  await forEachConcurrently(files, parallelReads, async (result) => {
    const path = virtualPath(result.path);
    const entry = await unchangedEntry(searched, path, result);
    if (entry === null) return;
    const { kind, size, modifiedNs } = entry;
    const modified = formatModified(Number(modifiedNs / 1_000_000n));
    found.push({ file: { path, modified, type: typeOf(kind, nameOf(path), size) }, modifiedNs });
  });
  const [first] = files;
  if (first === undefined || found.length < 2) return null;
  found.sort(byAge);
  return { size: first.size, checksum: first.checksum, files: found.map(({ file }) => file) };
}

/** Returns the entry of a file that was compared; null if it has changed since or the user may not list it. */
async function unchangedEntry(
  { storage, folder }: SearchedFolder,
  path: VirtualPath,
  { size, modifiedNs }: DuplicateResult,
): Promise<Entry | null> {
  if (!storage.isShown(path, folder)) return null;
  try {
    const entry = await storage.stat(path);
    const isSame =
      entry?.kind === 'file' &&
      !entry.isSymlink &&
      entry.size === size &&
      String(entry.modifiedNs) === modifiedNs;
    return isSame ? entry : null;
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
