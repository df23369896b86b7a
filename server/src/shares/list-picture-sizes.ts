import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { MediaSize } from '@filestead/contract/previews';
import type { PictureSize } from '@filestead/contract/shares';
import type { Party } from '../scheduling/party.ts';
import type { Storage } from '../storage/storage.ts';

/** Reads the properties of the files `names` below `folder`; see {@link Media.list} of the previews. */
export type ListMedia = (
  storage: Storage,
  folder: VirtualPath,
  names: readonly string[],
  requester: { readonly party: Party; readonly signal: AbortSignal },
) => Promise<(MediaSize | null)[]>;

/**
 * Returns the dimensions of the pictures and videos `names` below a shared folder, null where they are unknown or denied.
 * Dates, places and durations are not for visitors. Throws the errors of `listMedia`.
 */
export async function listPictureSizes(
  listMedia: ListMedia,
  ...request: Parameters<ListMedia>
): Promise<(PictureSize | null)[]> {
  const rows = await listMedia(...request);
  return rows.map((row) =>
    row !== null && row.width > 0 && row.height > 0 ? { width: row.width, height: row.height } : null,
  );
}
