import { createResource, type ListingRow } from '@filestead/contract/files';
import { call, isApiError } from '../../api/call.ts';
import { streamListing } from '../../api/stream-listing.ts';
import { pageConfig } from '../../api/page-config.ts';
import { giveUpUpload, uploadInParts } from '../../api/upload-in-parts.ts';
import { uploadFile } from '../../api/upload.ts';
import { withRetries } from '../../api/with-retries.ts';
import type { ConflictSide } from './conflict-desk.ts';
import type { UploadTransport } from './upload-transport.ts';

/** Whether the browser can still read `file`: it may have been moved, changed or taken away since it was chosen. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Sends uploads to this product's server. */
export const serverTransport: UploadTransport = {
  sendFile: async (path, file, options) => {
    const { partial, signal, onInterrupted } = options;
    const { chunkSize: partBytes, retryCount } = pageConfig.TusSettings;
    const isInParts = partBytes > 0 && file.size > partBytes;
    // The browser reports a file that it cannot read as a broken connection.
    const isWorthIt = async (error: unknown) =>
      !isApiError(error, 'connection_aborted') || (await isReadable(file));
    try {
      await withRetries(
        () =>
          isInParts
            ? uploadInParts(path, file, { ...options, partBytes })
            : uploadFile(path, file, options).then(() => undefined),
        { retryCount, signal, reached: () => partial.offset, isWorthIt, onInterrupted },
      );
    } catch (error) {
      if (signal.aborted || (await isWorthIt(error))) throw error;
      throw Object.assign(new Error('unreadable', { cause: error }), { code: 'unreadable' });
    }
  },
  giveUp: giveUpUpload,
  createFolder: (path, signal) => call(createResource, { path, isFolder: true, signal }),
  listFolder: async (path) => {
    const names = new Map<string, ConflictSide>();
    let folders = 0;
    const take = ([name, size, modifiedMs]: ListingRow) => {
      // Folders come first.
      const isFolder = names.size < folders;
      names.set(name, { isFolder, size: isFolder ? 0 : size, modifiedMs });
    };
    await streamListing(path, {
      onHeader: ({ numDirs }) => {
        folders = numDirs;
      },
      onRows: (rows) => rows.forEach(take),
    });
    return names;
  },
};
