import { createResource } from '@filestead/contract/files';
import {
  childOf,
  nameOf,
  parentOf,
  withNumberSuffix,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { call, isApiError } from '../../../api/call.ts';

/** Maximum number of names that are tried. */
const maxAttempts = 100;

/**
 * Saves `content` beside the file `path`, under the first free numbered name. Returns the path of the copy. Throws
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
      if (!isApiError(error, 'already_exists', 'is_folder') || number >= maxAttempts) throw error;
    }
  }
}
