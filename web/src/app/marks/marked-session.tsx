import {
  listMarks,
  listRecents,
  listTagged,
  type MarkedRow,
  type RecentRow,
} from '@filestead/contract/endpoints/marks';
import { call } from '../../api/call.ts';
import type { FilesChange } from '../../features/files/entries/changes.ts';
import { useMarks } from '../../features/marks/marks-store.ts';
import type { Sorting } from '@filestead/contract/users';
import type { ScatteredEntry } from '../scattered/list-entries.ts';
import { ScatteredSession } from '../scattered/scattered-session.ts';
import { listMarked } from './list-marked.tsx';
import { sortMarked } from './sort-marked.ts';

/** A list of marked entries: the recent ones, the favorites, or those with a tag. */
export type MarkedList =
  | { readonly kind: 'recent' }
  | { readonly kind: 'favorites' }
  | { readonly kind: 'tag'; readonly tag: string };

/** Loads the rows of a list. Throws `ApiError`. */
async function rowsOf(list: MarkedList, signal: AbortSignal): Promise<readonly (MarkedRow | RecentRow)[]> {
  if (list.kind === 'recent') return (await call(listRecents, { signal })).rows;
  if (list.kind === 'favorites') return (await call(listMarks, { signal })).favorites;
  // Without a tag the page navigates to the first one.
  if (list.tag === '') return [];
  return (await call(listTagged, { query: { tag: list.tag }, signal })).rows;
}

/** Marked entries of several folders as the entries of a listing, in the order of the server or sorted. Missing ones are left out. */
export class MarkedSession extends ScatteredSession {
  override readonly hasViews = false;
  readonly #list: MarkedList;
  #stopMarks: (() => void) | null = null;
  /** When recent entries were last used, in Unix milliseconds, by their names in the model. */
  #usedAtMs: ReadonlyMap<string, number> = new Map();
  /** In the order of the server. */
  #entries: readonly ScatteredEntry[] = [];
  #sorting: Sorting | null = null;

  constructor(list: MarkedList) {
    super();
    this.#list = list;
  }

  override start(): void {
    super.start();
    this.#stopMarks ??= useMarks.subscribe(({ version }, before) => {
      if (version !== before.version) void this.reload();
    });
  }

  override stop(): void {
    this.#stopMarks?.();
    this.#stopMarks = null;
    super.stop();
  }

  /** Returns when a recent entry was last opened, saved or uploaded, in Unix milliseconds; NaN for others. */
  usedAtMs(name: string): number {
    return this.#usedAtMs.get(name) ?? Number.NaN;
  }

  /** Sorts the entries, those of the recent ones by their last use instead of their change; null restores the order of the server. */
  sort(sorting: Sorting | null): void {
    this.#sorting = sorting;
    if (this.getStatus().kind === 'shown') this.#arrange();
  }

  #arrange(): void {
    const { model } = this;
    const sorted =
      this.#sorting === null
        ? this.#entries
        : sortMarked(this.#entries, this.#sorting, {
            size: ({ path, isFolder, size }) => {
              const id = isFolder ? this.idOf(path) : null;
              return (id === null ? size : model.item(id).total?.bytes) ?? Number.NaN;
            },
            modified: ({ path, modifiedMs }) =>
              this.#list.kind === 'recent' ? this.usedAtMs(this.nameFor(path)) : (modifiedMs ?? Number.NaN),
          });
    model.rank(sorted.map(({ path }) => this.idOf(path)).filter((id) => id !== null));
  }

  protected override async load(signal: AbortSignal): Promise<null> {
    try {
      const rows = await rowsOf(this.#list, signal);
      if (signal.aborted) return null;
      this.#usedAtMs = new Map(
        rows.flatMap((row) => ('at' in row ? [[row.path.slice(1), Date.parse(row.at)]] : [])),
      );
      this.#entries = listMarked(this.model, rows);
      if (this.#sorting !== null) this.#arrange();
      this.loadSizes(this.#entries, () => {
        if (this.#sorting?.by === 'size') this.#arrange();
      });
      this.setStatus({ kind: 'shown' });
    } catch (error) {
      if (!signal.aborted) this.setStatus({ kind: 'failed', error });
    }
    return null;
  }

  /** Removes entries at once; other changes load the list again after a delay. */
  protected override applyChange({ removed = [] }: FilesChange): void {
    this.removeListed(removed);
    this.reloadSoon();
  }
}
