import { listArchiveFolder } from '@filestead/contract/archives';
import type { Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../api/call.ts';
import { ResourceFolder } from '../resources/resource-folder.ts';

/** The number of entries of a folder, and the bytes of its files. */
interface FolderSize {
  readonly count: number;
  readonly bytes: number;
}

/** A folder inside an archive, or its root. */
export class ArchiveFolder extends ResourceFolder<FolderSize> {
  readonly archive: VirtualPath;

  constructor(archive: VirtualPath, path: VirtualPath) {
    super(path);
    this.archive = archive;
  }

  protected async request(signal: AbortSignal): Promise<{ folder: Resource; shown: FolderSize }> {
    const query = { archive: this.archive };
    const folder = await call(listArchiveFolder, { path: this.path, isFolder: true, query, signal });
    const items = folder.items ?? [];
    const bytes = items.reduce((sum, { size }) => sum + size, 0);
    return { folder, shown: { count: items.length, bytes } };
  }
}
