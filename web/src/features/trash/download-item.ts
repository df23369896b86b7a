import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { getTrashRaw, type TrashItem } from '@filestead/contract/endpoints/trash';
import { urlOf } from '../../api/call.ts';
import { followDownload } from '../../ui/follow-download.ts';

/** Downloads a deleted file, or a deleted folder as an archive. The session's cookie is sent with the request. */
export function downloadItem(
  { id, name, isDir }: Pick<TrashItem, 'id' | 'name' | 'isDir'>,
  path?: VirtualPath,
): void {
  const query = isDir ? { algo: 'zip' } : {};
  followDownload(urlOf(getTrashRaw, { params: { id }, path, query }), isDir ? '' : name);
}
