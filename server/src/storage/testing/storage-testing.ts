import type { ErrorCode } from '@filestead/contract/errors';
import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect } from 'vitest';
import type { AppError } from '../../errors.ts';
import { batchKinds, type Entry, type FolderListing, type Storage } from '../storage.ts';

/** Parses a path; short, because tests contain many. */
export const path = virtualPath;

/** Returns the escaped text of a name that consists of `parts`: bytes that are not UTF-8, and text. */
export const rawName = (...parts: readonly (number | string)[]): string =>
  nameOfBytes(
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part)))),
  );

/** A source that yields `texts` as bytes. */
export async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** A source that yields `text` and then fails. */
export async function* breaksAfter(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
  throw new Error('the sender left');
}

/** Returns the text of a file. */
export async function readText(storage: Storage, file: string): Promise<string> {
  const opened = await storage.openFile(path(file));
  try {
    const buffer = new Uint8Array(opened.entry.size + 1);
    const length = await opened.read(buffer, 0);
    return new TextDecoder().decode(buffer.subarray(0, length));
  } finally {
    await opened.close();
  }
}

/** The metadata of all entries of a listing. */
export async function entriesOf(
  listing: FolderListing,
): Promise<(Omit<Entry, 'modifiedNs' | 'kind'> & { kind: string; modifiedMs: number })[]> {
  const entries = [];
  let next = 0;
  for await (const batch of listing.batches()) {
    expect(batch.first).toBe(next);
    next += batch.count;
    for (let i = 0; i < batch.count; i++) {
      entries.push({
        name: listing.names[batch.first + i] ?? '',
        kind: batchKinds[batch.kinds[i] ?? 0] ?? '',
        size: batch.sizes[i] ?? -1,
        modifiedMs: batch.modifiedMs[i] ?? -1,
        mode: batch.modes[i] ?? -1,
        isSymlink: batch.links[i] === 1,
      });
    }
  }
  expect(next).toBe(listing.names.length);
  return entries;
}

/** Returns the names in a folder. */
export const namesIn = async (storage: Storage, folder: string): Promise<readonly string[]> =>
  (await storage.list(path(folder))).names;

/** Everything below the root: files with their text, folders with a trailing slash. */
export async function treeOf(storage: Storage, top = '/'): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for await (const { path: walked, entry } of storage.walk(path(top))) {
    if (entry.kind === 'folder') tree[`${walked}/`] = '';
    else tree[walked] = entry.kind === 'file' ? await readText(storage, walked) : `(${entry.kind})`;
  }
  return tree;
}

/** Matches an {@link AppError} with this code. */
export const refused = (code: ErrorCode): Partial<AppError> =>
  expect.objectContaining({ name: 'AppError', code });

/** Options of a move or copy that may not replace anything. */
export const once = { overwrite: false };
/** Options of a move or copy that may replace files. */
export const over = { overwrite: true };

/** Opens a storage with `files` by their paths; a path that ends with a slash is an empty folder. Closed after the test. */
export type OpenStorage = (files?: Record<string, string>) => Promise<Storage>;
