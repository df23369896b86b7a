import {
  getVersionPreview,
  getVersionRaw,
  listVersions,
  type Version,
  type VersionPage,
} from '@filestead/contract/endpoints/versions';
import { getRaw } from '@filestead/contract/files';
import { call, send, textOf, urlOf } from '../../api/call.ts';
import { previewUrl } from '../../api/preview-url.ts';
import { rawUrl } from '../../api/urls.ts';
import type { FileState, VersionedFile } from './versions-host.ts';

/** The largest text that is compared, in bytes. */
export const maxComparedBytes = 1024 * 1024;

/** Loads the versions of a file, the latest first. Throws `ApiError`. */
export const loadVersions = (file: VersionedFile, signal: AbortSignal): Promise<VersionPage> =>
  call(listVersions, { path: file.path, signal });

/** Returns the current state of a file. */
export function presentState({ path, name, type, size, modifiedMs }: VersionedFile): FileState {
  return {
    name,
    type,
    size,
    modifiedMs,
    url: rawUrl(path, { inline: true, key: modifiedMs }),
    pictureUrl: previewUrl({ path, modifiedMs }, 'big'),
  };
}

/** Returns the state of a version. */
export function stateOf({ id, name, type, size, modified }: Version): FileState {
  const query = { inline: 'true' };
  return {
    name,
    type,
    size,
    modifiedMs: Date.parse(modified),
    url: urlOf(getVersionRaw, { params: { id }, query }),
    pictureUrl: urlOf(getVersionPreview, { params: { id, size: 'big' }, query }),
  };
}

/** Returns the address at which a version is downloaded; for null, that of the current state. */
export const downloadUrl = ({ path }: VersionedFile, version: Version | null): string =>
  version === null ? rawUrl(path) : urlOf(getVersionRaw, { params: { id: version.id } });

/** Loads the text of a version. Throws `ApiError`. */
export const loadVersionText = async ({ id }: Version, signal: AbortSignal): Promise<string> =>
  textOf(await send(getVersionRaw, { params: { id }, query: { inline: 'true' }, signal }), signal);

/** Loads the current text of a file. Throws `ApiError`. */
export const loadPresentText = async ({ path }: VersionedFile, signal: AbortSignal): Promise<string> =>
  textOf(await send(getRaw, { path, query: { inline: 'true' }, signal }), signal);
