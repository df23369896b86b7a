import { createFolderUpload, discardFolderUpload } from '@filestead/contract/endpoints/folder-uploads';
import { createResource, type ListingRow } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { minResumableBytes } from '@filestead/contract/values/limits';
import { call, isApiError, send } from '../../../api/call.ts';
import { streamListing } from '../../../api/streams/stream-listing.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { uploadOperations } from '../../../api/stored-operations.ts';
import { cancelUpload, uploadInParts, type PartialUpload } from '../../../api/uploads/upload-in-parts.ts';
import { uploadAlone, uploadBatch } from '../../../api/uploads/upload-batch.ts';
import { withRetries } from '../../../api/with-retries.ts';
import { newUploadKey } from '../tabs/tab-id.ts';
import type { UploadConflictSide } from './conflict-queue.ts';
import { blockedServer, BlockedUploads } from '../blocked-uploads.ts';
import { fileHandles } from '../unfinished/file-handles.ts';
import { UnfinishedUploads } from '../unfinished/unfinished-uploads.ts';
import { unfinishedServer } from '../unfinished/unfinished-server.ts';
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

/** The uploads that no page is sending. */
export const unfinishedUploads = new UnfinishedUploads(unfinishedServer, fileHandles);

interface ResumableOptions extends SendOptions {
  readonly partBytes: number;
}

/**
 * Sends a file resumably: the bytes that have arrived are not lost when the connection breaks or the page is closed. Throws
 * `blocked` if all bytes were received and the server waits for a decision.
 */
async function sendResumable(path: VirtualPath, file: File, options: ResumableOptions): Promise<void> {
  const { partial, override, folder, handle } = options;
  const identity = { path, size: file.size, modifiedMs: file.lastModified, override };
  if (partial.address === null && partial.key == null)
    partial.address = await unfinishedUploads.claim(identity, file);
  const properties = { key: partial.key ?? newUploadKey(), modifiedMs: file.lastModified, folder };
  let isHandleStored = handle === null;
  const onConfirmed = (offset: number): void => {
    if (!isHandleStored && handle !== null && partial.address !== null) {
      isHandleStored = true;
      void fileHandles.store(idIn(partial.address), handle);
    }
    options.onConfirmed(offset);
  };
  try {
    await uploadInParts(path, file, { ...options, properties, onConfirmed });
  } catch (error) {
    const { address } = partial;
    const isResponse = isApiError(error) && error.status >= 400;
    if (!isResponse || address === null || !(await blockedUploads.has(address))) throw error;
    partial.address = null;
    partial.offset = 0;
    partial.key = null;
    throw Object.assign(new Error('blocked', { cause: error }), { code: 'blocked' });
  }
  if (handle !== null && partial.address !== null) void fileHandles.forget(idIn(partial.address));
}

/** Extracts the upload id from an upload's address. */
const idIn = (address: string): string => new URL(address, document.baseURI).searchParams.get('upload') ?? '';

function discard(partial: PartialUpload): Promise<void> {
  if (partial.address !== null) unfinishedUploads.release(partial.address);
  return cancelUpload(partial);
}

const smallFiles = new SmallFileSender({ sendOne: uploadAlone, sendBatch: uploadBatch });

/** The transport that uses the API. */
export const serverTransport: UploadTransport = {
  sendFile: async (path, file, options) => {
    const { partial, signal, onInterrupted } = options;
    const { chunkSize: partBytes, retryCount } = pageConfig.TusSettings;
    const isResumable = file.size >= minResumableBytes || (partBytes > 0 && file.size > partBytes);
    // The browser reports a file that it cannot read as a broken connection.
    const isRetryable = async (error: unknown) =>
      !isApiError(error, 'connection_aborted') || (await isReadable(file));
    try {
      await withRetries(
        () =>
          isResumable
            ? sendResumable(path, file, { ...options, partBytes })
            : smallFiles.send(path, file, options),
        { retryCount, signal, getProgress: () => partial.offset, isRetryable, onInterrupted },
      );
    } catch (error) {
      if (signal.aborted || (await isRetryable(error))) throw error;
      throw Object.assign(new Error('unreadable', { cause: error }), { code: 'unreadable' });
    }
  },
  isSmall: (size) => size <= smallFileBytes,
  discard,
  announceFolder: async ({ handle, ...folder }) => {
    try {
      const { id } = await call(createFolderUpload, { body: folder });
      if (handle !== null) void fileHandles.store(id, handle);
      return id;
    } catch {
      // The folder is uploaded nevertheless, but cannot be completed later.
      return null;
    }
  },
  forgetFolder: async (id) => {
    void fileHandles.forget(id);
    try {
      await call(discardFolderUpload, { params: { id } });
    } catch {
      // It expires on the server.
    }
  },
  createFolder: async (path, signal) => {
    const { headers } = await send(createResource, { path, isFolder: true, signal });
    uploadOperations.add(headers.get('X-Operation'));
  },
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
