import { createResource } from '@filestead/contract/files';
import {
  childOf,
  nameOf,
  parentOf,
  withNumberSuffix,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { call, isApiError } from '../../api/call.ts';

/** So many taken names are passed over. */
const mostTries = 100;

/**
 * Saves `content` beside the file `path`, under the first name with a number that is free. Returns where it is. Throws
 * `ApiError`.
 */
export async function saveCopy(path: VirtualPath, content: string): Promise<VirtualPath> {
  for (let number = 1; ; number += 1) {
    const copy = childOf(parentOf(path), withNumberSuffix(nameOf(path), number));
    try {
      await call(createResource, {
        path: copy,
        content,
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      });
      return copy;
    } catch (error) {
      if (!isApiError(error, 'already_exists', 'is_folder') || number >= mostTries) throw error;
    }
  }
}
