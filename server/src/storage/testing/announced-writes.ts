import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Entry, Storage, WriteOptions } from '../storage.ts';
import { StorageView } from '../views/storage-view.ts';

/** A storage that announces every file without an announced length as a small one. */
class AnnouncedWrites extends StorageView {
  protected readonly inner: Storage;

  constructor(inner: Storage) {
    super();
    this.inner = inner;
  }

  protected authorize(): void {}

  protected wrap(storage: Storage): Storage {
    return new AnnouncedWrites(storage);
  }

  override write(
    path: VirtualPath,
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<Entry> {
    return super.write(path, source, { announcedBytes: 1, ...options });
  }
}

/** Returns a storage that announces files to `storage` as small ones, which may be stored in one step. */
export const announcingWrites = (storage: Storage): Storage => new AnnouncedWrites(storage);
