import { createResource, type ListingRow } from '@filestead/contract/files';
import { call, isApiError } from '../../api/call.ts';
import { streamListing } from '../../api/stream-listing.ts';
import { uploadFile } from '../../api/upload.ts';
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
    try {
      await uploadFile(path, file, options);
    } catch (error) {
      // The browser reports a file that it cannot read as a broken connection.
      const isBroken = isApiError(error, 'connection_aborted');
      if (!isBroken || options.signal.aborted || (await isReadable(file))) throw error;
      throw Object.assign(new Error('unreadable', { cause: error }), { code: 'unreadable' });
    }
  },
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
