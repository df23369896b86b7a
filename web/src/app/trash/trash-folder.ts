import { getTrashItem, listTrashFolder, type TrashItem } from '@filestead/contract/endpoints/trash';
import type { Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../api/call.ts';
import { ResourceFolder } from '../resources/resource-folder.ts';

/** A folder in the trash: a deleted item, which is its root, or a folder below it. */
export class TrashFolder extends ResourceFolder<TrashItem> {
  readonly id: string;

  constructor(id: string, path: VirtualPath) {
    super(path);
    this.id = id;
  }

  protected async request(signal: AbortSignal): Promise<{ folder: Resource; shown: TrashItem }> {
    const params = { id: this.id };
    const [shown, folder] = await Promise.all([
      call(getTrashItem, { params, signal }),
      call(listTrashFolder, { params, path: this.path, isFolder: true, signal }),
    ]);
    return { folder, shown };
  }
}
