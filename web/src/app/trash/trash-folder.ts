import { getTrashItem, listTrashFolder, type TrashItem } from '@filestead/contract/endpoints/trash';
import { entryTypes, type ListingRow, type Resource } from '@filestead/contract/files';
import { naturalOrder } from '@filestead/contract/paths/natural-order';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../api/call.ts';
import { ListingModel } from '../../features/files/listing/model/listing-model.ts';

/** The state of a folder in the trash. */
export type TrashFolderState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown'; readonly item: TrashItem }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A folder in the trash: a deleted item, or a folder below it. */
export class TrashFolder {
  readonly id: string;
  /** The root is the item itself. */
  readonly path: VirtualPath;
  readonly model = new ListingModel();
  #state: TrashFolderState = { kind: 'loading' };
  #running: AbortController | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(id: string, path: VirtualPath) {
    this.id = id;
    this.path = path;
  }

  readonly getSnapshot = (): TrashFolderState => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the item and the entries of the folder. Throws nothing. */
  async load(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    const params = { id: this.id };
    try {
      const [item, folder] = await Promise.all([
        call(getTrashItem, { params, signal }),
        call(listTrashFolder, { params, path: this.path, isFolder: true, signal }),
      ]);
      if (signal.aborted) return;
      showResource(this.model, folder);
      this.#setState({ kind: 'shown', item });
    } catch (error) {
      if (!signal.aborted) this.#setState({ kind: 'failed', error });
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  #setState(state: TrashFolderState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Shows the entries of `folder` in `model`, which expects them in natural order of names, folders first. */
export function showResource(model: ListingModel, folder: Resource): void {
  const items = folder.items ?? [];
  const rowsOf = (isFolder: boolean): ListingRow[] => {
    const part = items.filter(({ isDir }) => isDir === isFolder);
    return Array.from(naturalOrder(part.map(({ name }) => name)), (index) => part[index])
      .filter((item) => item !== undefined)
      .map(({ name, size, modified, type, isSymlink }): ListingRow => {
        const modifiedMs = Date.parse(modified);
        const typeIndex = entryTypes.indexOf(isFolder ? '' : type);
        return isSymlink ? [name, size, modifiedMs, typeIndex, 1] : [name, size, modifiedMs, typeIndex];
      });
  };
  const folders = rowsOf(true);
  const files = rowsOf(false);
  model.open({
    path: folder.path,
    name: folder.name,
    modified: folder.modified,
    numDirs: folders.length,
    numFiles: files.length,
    sorting: { by: 'name', asc: false },
    types: entryTypes,
  });
  model.append([...folders, ...files]);
  model.end();
}
