import { getSubtitle } from '@filestead/contract/files';
import { getMedia, type MediaInfo, type PreviewSize } from '@filestead/contract/previews';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { createContext, useContext } from 'react';
import { call, urlOf } from '../../api/call.ts';
import { previewUrl } from '../../api/preview-url.ts';
import { rawUrl } from '../../api/urls.ts';
import type { PreviewEntry } from './preview-entry.ts';

/** The addresses of the shown files' contents. The functions are stable while the previewer is open. */
export interface FileAddresses {
  /** The original file, to be shown in a page. `key` changes with its content. */
  readonly original: (path: VirtualPath, key?: number) => string;
  /** An image that the shown file refers to; null where neighboring files are not reachable. */
  readonly embeddedImage: (path: VirtualPath) => string | null;
  /** The picture that the server generates for a file. */
  readonly picture: (entry: Pick<PreviewEntry, 'path' | 'modifiedMs'>, size: PreviewSize) => string;
  /** A subtitle file as WebVTT. */
  readonly subtitle: (path: VirtualPath) => string;
  /** Reads the header of a picture, video or audio file. Absent where the server does not offer that. */
  readonly loadInfo?: (path: VirtualPath, signal: AbortSignal) => Promise<MediaInfo>;
}

/** Addresses of the signed-in user's files. The browser sends the session's cookie with each request. */
export const userAddresses: FileAddresses = {
  original: (path, key) => rawUrl(path, { inline: true, key }),
  embeddedImage: (path) => rawUrl(path, { inline: true }),
  picture: previewUrl,
  subtitle: (path) => urlOf(getSubtitle, { path }),
  loadInfo: (path, signal) => call(getMedia, { path, signal }),
};

const Addresses = createContext(userAddresses);

/** Provides other addresses to the previews below it, such as those of a share. */
export const FileAddressesProvider = Addresses.Provider;

export const useFileAddresses = (): FileAddresses => useContext(Addresses);
