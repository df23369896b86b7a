import type { ListingHeader, Resource } from '@filestead/contract/files';
import {
  childOf,
  nameOf,
  parentOf,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { openPath } from '../../../api/stream-listing.ts';
import { onFilesChange, type FilesChange } from '../entries/changes.ts';
import type { FileEntry } from '../entries/entry.ts';
import { mayPass } from '../feedback/failure.ts';
import { ListingModel } from '../listing/model/listing-model.ts';

/** What is known of the path. `cut_short`: some rows are shown, but the connection broke off before the last. */
export type FolderStatus =
  | { readonly kind: 'loading' }
  | { readonly kind: 'shown' }
  | { readonly kind: 'cut_short' }
  | { readonly kind: 'file'; readonly resource: Resource; readonly version: string | null }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A folder that could not be read again is tried once more after so long, in ms, as long as it is shown. */
const tryAgainMs = 10_000;

/** One folder while it is shown: reads it into a {@link ListingModel}, keeps it up to date and reveals what is new. */
export class FolderSession {
  readonly path: VirtualPath;
  readonly model = new ListingModel();
  #status: FolderStatus = { kind: 'loading' };
  readonly #listeners = new Set<() => void>();
  #running: AbortController | null = null;
  /** Something has changed since the running load began. */
  #isStale = false;
  #stopListening: (() => void) | null = null;
  #tryingAgain: ReturnType<typeof setTimeout> | undefined;
  /** Names to select and scroll to as soon as they are there. */
  #awaited = new Set<string>();
  /** The entry that one comes back from is scrolled to, not selected. */
  #isOnlyScrolledTo = true;
  #revealed: { readonly id: number } | null = null;

  constructor(path: VirtualPath, scrollTo: readonly string[] = []) {
    this.path = path;
    this.#awaited = new Set(scrollTo);
  }

  readonly getStatus = (): FolderStatus => this.#status;
  /** The entry to scroll to; a new object for each request. */
  readonly getRevealed = (): { readonly id: number } | null => this.#revealed;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the folder and follows what actions change in it, until {@link stop}. */
  start(): void {
    this.#stopListening ??= onFilesChange((change) => this.#follow(change));
    void this.reload();
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = null;
    clearTimeout(this.#tryingAgain);
    this.#running?.abort();
    this.#running = null;
  }

  /**
   * Reads the folder again; what is shown stays and is brought up to date. Resolves with what kept it from being read
   * when that may pass: then what is shown stays as it is, and it is tried again before long.
   */
  async reload(): Promise<{ readonly error: unknown } | null> {
    if (this.#running) {
      this.#isStale = true;
      return null;
    }
    clearTimeout(this.#tryingAgain);
    const running = new AbortController();
    this.#running = running;
    this.#isStale = false;
    if (this.#status.kind === 'failed') this.#setStatus({ kind: 'loading' });
    const failure = await this.#load(running.signal);
    if (this.#running !== running) return null;
    this.#running = null;
    if (failure) {
      this.#tryingAgain = setTimeout(() => void this.reload(), tryAgainMs);
      return failure;
    }
    return this.#isStale && this.#status.kind === 'shown' ? this.reload() : null;
  }

  /** Selects entries of this folder and scrolls to the first, now or when they have arrived. */
  reveal(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#awaited = new Set(names);
    this.#isOnlyScrolledTo = false;
    this.#revealArrived(false);
  }

  entry(id: number): FileEntry {
    const item = this.model.item(id);
    return {
      name: item.name,
      path: childOf(this.path, item.name),
      isFolder: item.isFolder,
      isSymlink: item.isSymlink,
      type: item.type,
      size: item.size,
      modifiedMs: item.modifiedMs,
    };
  }

  /** The selected entries in the order shown, at most `limit` of them. */
  selectedEntries(limit = Number.POSITIVE_INFINITY): FileEntry[] {
    const ids = this.model.selectedIds();
    return (ids.length > limit ? ids.slice(0, limit) : ids).map((id) => this.entry(id));
  }

  async #load(signal: AbortSignal): Promise<{ readonly error: unknown } | null> {
    const { model } = this;
    const isFirst = this.#status.kind !== 'shown' && this.#status.kind !== 'cut_short';
    let hasBegun = false;
    try {
      const opened = await openPath(this.path, {
        signal,
        onHeader: (header) => {
          if (!this.#isMine(header)) return;
          hasBegun = true;
          model.open(header);
          if (isFirst) this.#setStatus({ kind: 'shown' });
        },
        onRows: (rows) => {
          if (signal.aborted || !hasBegun) return;
          model.append(rows);
          if (isFirst) this.#revealArrived(false);
        },
      });
      if (signal.aborted) return null;
      if (opened.kind === 'file') {
        this.#setStatus({ kind: 'file', resource: opened.resource, version: opened.version });
        return null;
      }
      if (!hasBegun) return null;
      model.end();
      this.#setStatus({ kind: 'shown' });
      this.#revealArrived(!this.#isStale);
    } catch (error) {
      if (signal.aborted) return null;
      if (hasBegun) {
        model.abandon();
        // A reload that breaks off leaves everything as it was.
        if (isFirst) this.#setStatus({ kind: 'cut_short' });
      } else if (isFirst || !mayPass(error)) {
        this.#setStatus({ kind: 'failed', error });
      } else {
        return { error };
      }
    }
    return null;
  }

  /** An answer for another path is none (docs/reference/behaviour.md §2). */
  #isMine(header: ListingHeader): boolean {
    return parsePath(header.path).path === this.path;
  }

  #follow({ folders, removed = [], moved = [], reveal = [] }: FilesChange): void {
    if (!folders.includes(this.path)) return;
    const { model } = this;
    model.batch(() => {
      const gone = removed.filter((path) => parentOf(path) === this.path);
      model.remove(gone.map((path) => model.find(nameOf(path))).filter((id) => id !== null));
      for (const { entry, to } of moved) this.#moveRow(entry, to);
    });
    this.reveal(reveal.filter((path) => parentOf(path) === this.path).map(nameOf));
    void this.reload();
  }

  #moveRow(entry: FileEntry, to: VirtualPath): void {
    const { model } = this;
    const id = parentOf(entry.path) === this.path ? model.find(nameOf(entry.path)) : null;
    const comesHere = parentOf(to) === this.path;
    if (id !== null && comesHere) model.rename(id, nameOf(to));
    else if (id !== null) model.remove([id]);
    else if (comesHere && this.#status.kind === 'shown' && model.phase === 'ready') {
      model.insert({ ...entry, name: nameOf(to) });
    }
  }

  #revealArrived(isComplete: boolean): void {
    if (this.#awaited.size === 0) return;
    const { model } = this;
    const ids = [...this.#awaited].map((name) => model.find(name)).filter((id) => id !== null);
    if (ids.length < this.#awaited.size && !isComplete) return;
    this.#awaited.clear();
    const first = ids[0];
    if (first === undefined) return;
    if (this.#isOnlyScrolledTo) model.moveCursor(first);
    else if (ids.length === 1) model.only(first);
    else {
      model.select(ids);
      model.moveCursor(first);
    }
    this.#revealed = { id: first };
    this.#tell();
  }

  #setStatus(status: FolderStatus): void {
    if (status.kind === this.#status.kind && status.kind !== 'failed' && status.kind !== 'file') return;
    this.#status = status;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
