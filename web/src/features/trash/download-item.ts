import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { getTrashRaw, type TrashItem } from '@filestead/contract/endpoints/trash';
import { urlOf } from '../../api/call.ts';

/** Downloads a deleted file, or a deleted folder as an archive. The session's cookie is sent with the request. */
export function downloadItem(
  { id, name, isDir }: Pick<TrashItem, 'id' | 'name' | 'isDir'>,
  path?: VirtualPath,
): void {
  const link = document.createElement('a');
  link.href = urlOf(getTrashRaw, { params: { id }, path, query: isDir ? { algo: 'zip' } : {} });
  link.download = isDir ? '' : name;
  document.body.append(link);
  link.click();
  link.remove();
}
