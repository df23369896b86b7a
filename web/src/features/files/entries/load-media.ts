import { listMedia } from '@filestead/contract/previews';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import type { LoadMedia } from '../listing/photos/photo-view.ts';

/** Returns the function that requests the sizes and dates of files below `folder`. Throws `ApiError`. */
export const loadMediaOf =
  (folder: VirtualPath): LoadMedia =>
  async (names, signal) =>
    (await call(listMedia, { path: folder, body: { names: [...names] }, signal })).rows;
