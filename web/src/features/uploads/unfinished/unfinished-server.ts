import {
  discardFolderUpload,
  listArrivedFiles,
  listFolderUploads,
  type ArrivedFile,
  type FolderUpload,
} from '@filestead/contract/endpoints/folder-uploads';
import { getUpload } from '@filestead/contract/endpoints/resumable-uploads';
import {
  compareUpload,
  discardUpload,
  listUploads,
  type UnfinishedUpload,
} from '@filestead/contract/uploads';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { call, urlOf } from '../../../api/call.ts';
import { fetchUploadOffset } from '../../../api/uploads/upload-in-parts.ts';

/** The endpoints for unfinished uploads. They throw the errors of the API. */
export interface UnfinishedServer {
  list: () => Promise<readonly UnfinishedUpload[]>;
  listFolders: () => Promise<readonly FolderUpload[]>;
  /** Returns the address at which an upload is continued. */
  addressOf: (upload: Pick<UnfinishedUpload, 'id' | 'path'>) => string;
  /** Stops a request that is sending, and returns the offset; null if the server no longer knows the upload. */
  fetchOffset: (address: string) => Promise<number | null>;
  /** Whether `tail` is equal to the last stored bytes, which end at `offset`. */
  compare: (id: string, offset: number, tail: Blob) => Promise<boolean>;
  /** Returns the files of a folder upload that have been stored. */
  arrivedFiles: (folderId: string) => Promise<readonly ArrivedFile[]>;
  discard: (id: string) => Promise<void>;
  discardFolder: (id: string) => Promise<void>;
}

/** The implementation that uses the API. */
export const unfinishedServer: UnfinishedServer = {
  list: () => call(listUploads),
  listFolders: () => call(listFolderUploads),
  addressOf: ({ id, path }) => urlOf(getUpload, { path: virtualPath(path), query: { upload: id } }),
  fetchOffset: (address) => fetchUploadOffset(address),
  compare: async (id, offset, tail) =>
    (await call(compareUpload, { params: { id }, query: { offset: String(offset) }, content: tail })).isSame,
  arrivedFiles: async (id) => {
    const files: ArrivedFile[] = [];
    for (;;) {
      const after = files.at(-1)?.file;
      const page = await call(listArrivedFiles, {
        params: { id },
        query: after === undefined ? {} : { after },
      });
      files.push(...page);
      if (page.length === 0) return files;
    }
  },
  discard: async (id) => {
    await call(discardUpload, { params: { id } });
  },
  discardFolder: async (id) => {
    await call(discardFolderUpload, { params: { id } });
  },
};
