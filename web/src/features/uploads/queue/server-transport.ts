import { createResource, type ListingRow } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call, isApiError } from '../../../api/call.ts';
import { streamListing } from '../../../api/stream-listing.ts';
import { pageConfig } from '../../../api/page-config.ts';
import {
  fetchUploadOffset,
  cancelUpload,
  uploadInParts,
  type PartialUpload,
} from '../../../api/upload-in-parts.ts';
import { uploadFile } from '../../../api/upload.ts';
import { uploadBatch } from '../../../api/upload-batch.ts';
import { withRetries } from '../../../api/with-retries.ts';
import type { UploadConflictSide } from './conflict-queue.ts';
import { blockedServer, BlockedUploads } from '../blocked-uploads.ts';
import { InterruptedUploads } from '../interrupted-uploads.ts';
import { SmallFileSender, smallFileBytes } from './small-file-sender.ts';
import type { SendOptions, UploadTransport } from './upload-transport.ts';

/** Whether the browser can still read `file`: it may have been moved, changed or deleted since it was chosen. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** The uploads that wait for a decision of their user. */
export const blockedUploads = new BlockedUploads(blockedServer);

/** The uploads that were interrupted when a page was closed. */
export const interruptedUploads = new InterruptedUploads({
  fetchOffset: async (address) => {
    try {
      return await fetchUploadOffset(address);
    } catch (error) {
      // A blocked upload is listed separately.
      if (isApiError(error) && error.status >= 400 && (await blockedUploads.has(address))) return null;
      throw error;
    }
  },
  discard: (address) => cancelUpload({ address, offset: 0 }),
});

interface ChunkedOptions extends SendOptions {
  readonly partBytes: number;
}

/**
 * Sends a file in chunks, and stores its progress until it is finished, because the page may be closed meanwhile.
 * Throws `blocked` if all bytes were received and the server waits for a decision.
 */
async function sendInChunks(path: VirtualPath, file: File, options: ChunkedOptions): Promise<void> {
  const { partial, override } = options;
  const identity = { path, size: file.size, modifiedMs: file.lastModified, override };
  partial.address ??= await interruptedUploads.claim(identity);
  const previousAddress = partial.address;
  const onConfirmed = (offset: number): void => {
    const { address } = partial;
    // The server had discarded the earlier upload.
    if (previousAddress !== null && previousAddress !== address) interruptedUploads.forget(previousAddress);
    if (address !== null) interruptedUploads.store({ ...identity, address, offset });
    options.onConfirmed(offset);
  };
  try {
    await uploadInParts(path, file, { ...options, onConfirmed });
  } catch (error) {
    const { address } = partial;
    const isResponse = isApiError(error) && error.status >= 400;
    if (!isResponse || address === null || !(await blockedUploads.has(address))) throw error;
    interruptedUploads.forget(address);
    partial.address = null;
    partial.offset = 0;
    throw Object.assign(new Error('blocked', { cause: error }), { code: 'blocked' });
  }
  if (partial.address !== null) interruptedUploads.forget(partial.address);
}

function discard(partial: PartialUpload): Promise<void> {
  if (partial.address !== null) interruptedUploads.forget(partial.address);
  return cancelUpload(partial);
}

const smallFiles = new SmallFileSender({ sendOne: uploadFile, sendBatch: uploadBatch });

/** The transport that uses the API. */
export const serverTransport: UploadTransport = {
  sendFile: async (path, file, options) => {
    const { partial, signal, onInterrupted } = options;
    const { chunkSize: partBytes, retryCount } = pageConfig.TusSettings;
    const isChunked = partBytes > 0 && file.size > partBytes;
    // The browser reports a file that it cannot read as a broken connection.
    const isRetryable = async (error: unknown) =>
      !isApiError(error, 'connection_aborted') || (await isReadable(file));
    try {
      await withRetries(
        () =>
          isChunked
            ? sendInChunks(path, file, { ...options, partBytes })
            : file.size <= smallFileBytes
              ? smallFiles.send(path, file, options)
              : uploadFile(path, file, options).then(() => undefined),
        { retryCount, signal, getProgress: () => partial.offset, isRetryable, onInterrupted },
      );
    } catch (error) {
      if (signal.aborted || (await isRetryable(error))) throw error;
      throw Object.assign(new Error('unreadable', { cause: error }), { code: 'unreadable' });
    }
  },
  isSmall: (size) => size <= smallFileBytes,
  discard,
  createFolder: (path, signal) => call(createResource, { path, isFolder: true, signal }),
  listFolder: async (path) => {
    const names = new Map<string, UploadConflictSide>();
    let folders = 0;
    const addRow = ([name, size, modifiedMs]: ListingRow) => {
      // Folders come first.
      const isFolder = names.size < folders;
      names.set(name, { isFolder, size: isFolder ? 0 : size, modifiedMs });
    };
    await streamListing(path, {
      onHeader: ({ numDirs }) => {
        folders = numDirs;
      },
      onRows: (rows) => rows.forEach(addRow),
    });
    return names;
  },
};
