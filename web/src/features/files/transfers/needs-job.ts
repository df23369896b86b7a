import type { JobKind } from '@filestead/contract/jobs';
import type { FileEntry } from '../entries/entry.ts';

/** Maximum number of files that are processed with one request each, whose response gives the result at once. */
const maxDirectEntries = 5;
/** Maximum number of bytes that are copied with single requests. */
const maxDirectBytes = 32 * 1024 * 1024;

/** Whether work is done by a job on the server, which continues when the page is closed. */
export function needsJob(kind: JobKind, entries: readonly FileEntry[]): boolean {
  if (entries.length > maxDirectEntries || entries.some(({ isFolder }) => isFolder)) return true;
  return kind === 'copy' && entries.reduce((bytes, { size }) => bytes + size, 0) > maxDirectBytes;
}
