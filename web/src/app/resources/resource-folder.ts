import { entryTypes, type Item, type ListingRow, type Resource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ListingModel } from '../../features/files/listing/model/listing-model.ts';
import { listRows } from '../scattered/list-rows.ts';

/** The state of a {@link ResourceFolder}; `shown` is known once it is loaded. */
export type ResourceFolderState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly shown: T }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A folder outside the user's files, such as one in the trash or in an archive, with its listing. */
export abstract class ResourceFolder<T> {
  readonly path: VirtualPath;
  readonly model = new ListingModel();
  #state: ResourceFolderState<T> = { kind: 'loading' };
  #running: AbortController | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(path: VirtualPath) {
    this.path = path;
  }

  readonly getSnapshot = (): ResourceFolderState<T> => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Requests the folder, and the data that is shown with it. */
  protected abstract request(signal: AbortSignal): Promise<{ folder: Resource; shown: T }>;

  /** Loads the folder. A failure becomes its state. */
  async load(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    try {
      const { folder, shown } = await this.request(signal);
      if (signal.aborted) return;
      showResource(this.model, folder);
      this.#setState({ kind: 'shown', shown });
    } catch (error) {
      if (!signal.aborted) this.#setState({ kind: 'failed', error });
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  #setState(state: ResourceFolderState<T>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Shows the entries of `folder` in `model`. */
function showResource(model: ListingModel, folder: Resource): void {
  listRows(
    model,
    folder.items ?? [],
    { nameOf: ({ name }) => name, isFolder: ({ isDir }) => isDir, rowOf },
    folder,
  );
}

function rowOf({ name, size, modified, isDir, type, isSymlink }: Item): ListingRow {
  const modifiedMs = Date.parse(modified);
  const typeIndex = entryTypes.indexOf(isDir ? '' : type);
  return isSymlink ? [name, size, modifiedMs, typeIndex, 1] : [name, size, modifiedMs, typeIndex];
}
