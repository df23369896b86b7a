import { getSubtitle } from '@filestead/contract/files';
import { getPreview, type PreviewSize } from '@filestead/contract/previews';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createContext, useContext } from 'react';
import { urlOf } from '../../api/call.ts';
import { rawUrl } from '../../api/urls.ts';
import type { PreviewEntry } from './preview-entry.ts';

/** Where the bytes of the files are that are shown. The functions stay the same while the previewer is open. */
export interface FileAddresses {
  /** The file as it is, to be shown in a page. `key` changes with its content. */
  readonly original: (path: VirtualPath, key?: number) => string;
  /** A file that the shown one names as its image; null where there is nothing beside it. */
  readonly beside: (path: VirtualPath) => string | null;
  /** The server's own picture of a file. */
  readonly picture: (entry: Pick<PreviewEntry, 'path' | 'modifiedMs'>, size: PreviewSize) => string;
  /** A subtitle file as WebVTT. */
  readonly subtitle: (path: VirtualPath) => string;
}

/** Those of the signed-in user's own files. The session's cookie goes with each request. */
export const ownAddresses: FileAddresses = {
  original: (path, key) => rawUrl(path, { inline: true, key }),
  beside: (path) => rawUrl(path, { inline: true }),
  picture: ({ path, modifiedMs }, size) =>
    urlOf(getPreview, { path, params: { size }, query: { inline: 'true', key: String(modifiedMs) } }),
  subtitle: (path) => urlOf(getSubtitle, { path }),
};

const Addresses = createContext(ownAddresses);

/** Lets previews below it fetch their files from elsewhere, such as from behind a public link. */
export const FileAddressesProvider = Addresses.Provider;

export const useFileAddresses = (): FileAddresses => useContext(Addresses);
