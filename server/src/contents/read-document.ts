import type { ErrorCode } from '@filestead/contract/errors';
import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../errors.ts';
import { type DocumentFormat, documentFormatOf } from '../media-types/document-format.ts';
import { isErrno } from '../storage/disk/paths/syscalls.ts';
import { readFully } from '../storage/read-fully.ts';
import type { Entry, OpenFile, Storage } from '../storage/storage.ts';
import type { FileState } from './contents-protocol.ts';

/** The size and time of an entry, as the catalogue knows them. */
export const stateOf = ({ size, modifiedNs }: Entry): FileState => ({
  size,
  time: Number(modifiedNs / 1_000_000_000n),
});

/** Reads a whole file. Bytes that were added since it was opened are not read. */
export async function readBytes(file: OpenFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(file.entry.size);
  const length = await readFully(file, bytes, 0);
  return length < bytes.length ? bytes.slice(0, length) : bytes;
}

/**
 * A document that was read. `gone`: it no longer exists; `unreadable`: it is not a document, or cannot be read; `damaged`: the disk
 * cannot read its content.
 */
export type ReadDocument =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly format: DocumentFormat;
      readonly state: FileState;
    }
  | { readonly kind: 'gone' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'unreadable'; readonly state: FileState | null };

/** Failures that say nothing about the document. */
const passingFailures: ReadonlySet<ErrorCode> = new Set(['storage_unavailable', 'busy', 'too_busy']);

/** Reads a document of the served folder. Throws `storage_unavailable`, `busy`, and unexpected errors. */
export async function readDocument(storage: Storage, path: VirtualPath): Promise<ReadDocument> {
  let file: OpenFile;
  try {
    file = await storage.openFile(path);
  } catch (error) {
    if (!isAppError(error) || passingFailures.has(error.code)) throw error;
    return error.code === 'forbidden' ? { kind: 'unreadable', state: null } : { kind: 'gone' };
  }
  try {
    const { entry } = file;
    const state = stateOf(entry);
    const format = documentFormatOf(nameOf(path), entry.size);
    // The catalogue follows no links: another entry has the name now.
    if (entry.isSymlink) return { kind: 'gone' };
    return format === null
      ? { kind: 'unreadable', state }
      : { kind: 'read', bytes: await readBytes(file), format, state };
  } catch (error) {
    if (isErrno(error, 'EIO')) return { kind: 'damaged' };
    throw error;
  } finally {
    await file.close();
  }
}
