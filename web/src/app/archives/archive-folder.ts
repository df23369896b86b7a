import { listArchiveFolder } from '@filestead/contract/archives';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../api/call.ts';
import { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { showResource } from '../trash/trash-folder.ts';

/** The state of a folder inside an archive. */
export type ArchiveFolderState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly count: number; readonly bytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A folder inside an archive, or its top. */
export class ArchiveFolder {
  readonly archive: VirtualPath;
  readonly path: VirtualPath;
  readonly model = new ListingModel();
  #state: ArchiveFolderState = { kind: 'loading' };
  #running: AbortController | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(archive: VirtualPath, path: VirtualPath) {
    this.archive = archive;
    this.path = path;
  }

  readonly getSnapshot = (): ArchiveFolderState => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the entries of the folder. Throws nothing. */
  async load(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    try {
      const query = { archive: this.archive };
      const folder = await call(listArchiveFolder, { path: this.path, isFolder: true, query, signal });
      if (signal.aborted) return;
      showResource(this.model, folder);
      const items = folder.items ?? [];
      const bytes = items.reduce((sum, { size }) => sum + size, 0);
      this.#setState({ kind: 'shown', count: items.length, bytes });
    } catch (error) {
      if (!signal.aborted) this.#setState({ kind: 'failed', error });
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  #setState(state: ArchiveFolderState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
