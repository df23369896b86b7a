import { getResource, saveResource, type Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { jsonOf, send } from '../../api/call.ts';
import type { SavedVersion } from './edit-session.ts';

/** A text file as the server has it. */
export interface TextFile {
  readonly content: string;
  /** The ETag, or null when the server named none. */
  readonly version: string | null;
}

/** Reads a text file and its version in one answer. Throws `ApiError`; `not_found` too when it is no text any more. */
export async function readTextFile(path: VirtualPath): Promise<TextFile> {
  const answer = await send(getResource, { path });
  const resource = (await jsonOf(answer)) as Resource;
  if (resource.content === undefined && resource.size > 0) {
    throw Object.assign(new Error('no text'), { code: 'not_found' });
  }
  return { content: resource.content ?? '', version: answer.headers.get('ETag') };
}

/** Saves the text. With `ifVersion` only over that version. Throws `ApiError`, among others `precondition_failed`. */
export async function saveTextFile(
  path: VirtualPath,
  content: string,
  ifVersion: string | null,
): Promise<SavedVersion> {
  const answer = await send(saveResource, {
    path,
    content,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(ifVersion !== null && { 'If-Match': ifVersion }),
    },
  });
  return { version: answer.headers.get('ETag') };
}
