import { parsePath, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FilesChange } from '../../features/files/entries/changes.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { FolderSession } from '../../features/files/folder/folder-session.ts';
import { showFolderSizes } from './folder-sizes.ts';

/** The delay before the entries are loaded again after a change, in ms; the catalogue follows changes at once. */
const reloadAfterMs = 1000;

/** Entries of several folders as the entries of a listing, each known to the model by its path from the root. */
export abstract class ScatteredSession extends FolderSession {
  override readonly isFolder = false;
  #reloadTimer: ReturnType<typeof setTimeout> | undefined;
  #sizing: AbortController | null = null;

  constructor() {
    super(rootPath);
  }

  override stop(): void {
    clearTimeout(this.#reloadTimer);
    this.#sizing?.abort();
    super.stop();
  }

  override entry(id: number): FileEntry {
    const { path, ...item } = this.model.item(id);
    return { ...item, path: parsePath(`/${path}`).path };
  }

  protected override nameFor(path: VirtualPath): string {
    return path.slice(1);
  }

  /** Removes and renames entries at once; other changes load them again after a delay. */
  protected override applyChange({ removed = [], moved = [] }: FilesChange): void {
    const { model } = this;
    model.batch(() => {
      this.removeListed(removed);
      for (const { entry, to } of moved) {
        const id = this.idOf(entry.path);
        if (id !== null && this.idOf(to) === null) model.rename(id, this.nameFor(to));
      }
    });
    if (removed.length === 0 && moved.length === 0) this.reloadSoon();
  }

  /** Removes the listed ones of `paths` from the listing. */
  protected removeListed(paths: readonly VirtualPath[]): void {
    this.model.remove(paths.map((path) => this.idOf(path)).filter((id) => id !== null));
  }

  /** Loads the sizes of the folders among the listed entries. Calls `onShown` whenever some have arrived. */
  protected loadSizes(
    entries: readonly { readonly path: VirtualPath; readonly isFolder: boolean }[],
    onShown?: () => void,
  ): void {
    this.#sizing?.abort();
    this.#sizing = new AbortController();
    const folders = entries.filter(({ isFolder }) => isFolder).map(({ path }) => path);
    void showFolderSizes(this.model, folders, this.#sizing.signal, onShown);
  }

  protected reloadSoon(): void {
    clearTimeout(this.#reloadTimer);
    this.#reloadTimer = setTimeout(() => void this.reload(), reloadAfterMs);
  }
}
