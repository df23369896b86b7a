import { getResource, saveResource, type Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { jsonOf, send } from '../../../api/call.ts';
import { saveOperations } from '../../../api/stored-operations.ts';
import type { SavedVersion } from './edit-session.ts';

/** A text file on the server. */
export interface TextFile {
  readonly content: string;
  /** The ETag, or null when the server sent none. */
  readonly version: string | null;
}

/**
 * Loads a text file and its version in one request. Throws `ApiError`, and an error with the code `not_found` if the
 * file is no longer a text file.
 */
export async function readTextFile(path: VirtualPath): Promise<TextFile> {
  const response = await send(getResource, { path });
  const resource = (await jsonOf(response)) as Resource;
  if (resource.content === undefined && resource.size > 0) {
    throw Object.assign(new Error('The file is no longer a text file.'), { code: 'not_found' });
  }
  return { content: resource.content ?? '', version: response.headers.get('ETag') };
}

/** Saves a text file; with `ifVersion` only over that version. Throws `ApiError`, for example `precondition_failed`. */
export async function saveTextFile(
  path: VirtualPath,
  content: string,
  ifVersion: string | null,
): Promise<SavedVersion> {
  const response = await send(saveResource, {
    path,
    content,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(ifVersion !== null && { 'If-Match': ifVersion }),
    },
  });
  saveOperations.add(response.headers.get('X-Operation'));
  return { version: response.headers.get('ETag') };
}
