import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { entityTagOf } from '../http/files/entity-tag.ts';
import type { Entry, Storage } from '../storage/storage.ts';

/** Number of uploads that are remembered; the oldest are forgotten. */
const maxUploads = 10_000;

interface StoredUpload {
  readonly path: VirtualPath;
  readonly entityTag: string;
}

/** An upload that may have been sent before. */
interface RepeatableUpload {
  /** Identifies the upload: the same for each attempt to send it, and different for all others. */
  readonly id: string;
  readonly path: VirtualPath;
  readonly storage: Storage;
}

/**
 * Remembers the uploads that were stored, so that a client that has lost the response can send them again: its own file
 * would otherwise be a conflict. Kept in memory: after a restart such an upload is a conflict.
 */
export class RecentUploads {
  readonly #uploads = new Map<string, Promise<StoredUpload | null>>();

  /** Runs `store`, unless an upload with this id was stored at this path and the file is still there unchanged. */
  async storeOnce(
    { id, path, storage }: RepeatableUpload,
    store: () => Promise<Entry>,
  ): Promise<Pick<Entry, 'modifiedNs' | 'size'>> {
    // An earlier attempt may still be running: its client has left.
    const earlier = await this.#uploads.get(id);
    if (earlier?.path === path) {
      const existing = await storage.stat(path);
      if (existing !== null && entityTagOf(existing) === earlier.entityTag) return existing;
    }
    const result = store();
    const stored = result.then(
      (entry) => ({ path, entityTag: entityTagOf(entry) }),
      () => null,
    );
    this.#uploads.delete(id);
    this.#uploads.set(id, stored);
    if (this.#uploads.size > maxUploads) {
      const [oldest] = this.#uploads.keys();
      if (oldest !== undefined) this.#uploads.delete(oldest);
    }
    return result;
  }
}
