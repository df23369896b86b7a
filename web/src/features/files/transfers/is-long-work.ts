import type { JobKind } from '@filestead/contract/jobs';
import type { FileEntry } from '../entries/entry.ts';

/** So many single files are worked on by a request each; the answer tells at once how it went. */
const maxDirectEntries = 5;
/** Copying more bytes than this takes long enough to be left to the server, in bytes. */
const maxDirectBytes = 32 * 1024 * 1024;

/** Whether work is long enough to be a job of the server, which goes on when the page is left. */
export function isLongWork(kind: JobKind, entries: readonly FileEntry[]): boolean {
  if (entries.length > maxDirectEntries || entries.some(({ isFolder }) => isFolder)) return true;
  return kind === 'copy' && entries.reduce((bytes, { size }) => bytes + size, 0) > maxDirectBytes;
}
