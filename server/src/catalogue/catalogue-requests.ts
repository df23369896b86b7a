import {
  compileVisibility,
  type VisiblePart,
  type Visibility,
  visiblePartKey,
} from '../access/rules/visible-part.ts';
import { LimitedMap } from '../limited-map.ts';
import { namesOf } from '../storage/disk/scan/scan-protocol.ts';
import type {
  Coverage,
  FindRequest,
  FolderTotals,
  FromCatalogue,
  MapRequest,
  TotalsRequest,
} from './catalogue-protocol.ts';
import { type Columns, noEntry } from './columns/columns.ts';
import { EntryVisibility } from './entry-visibility.ts';
import { fillMap } from './fill-map.ts';
import { daySeconds } from './columns/name-bounds.ts';
import { usePoints } from './query/rank.ts';
import { searchColumns } from './query/search-columns.ts';

/** Totals that take longer than this to count are left out (milliseconds). */
const maxCountMs = 250;
/** The maximum number of users whose compiled rules are cached. */
const maxCompiled = 32;
/** The maximum number of users for whom the visibility of folders is cached. */
const maxViews = 4;

/** The channel of the responses, and the clock. */
export interface RequestHost {
  readonly post: (message: FromCatalogue) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** The thread and the clock that the engine uses. */
export interface EngineHost extends RequestHost {
  /** Calls `work` later; returns a function that cancels it. */
  readonly after: (delayMs: number, work: () => void) => () => void;
}

/** The catalogue at the time of a request. */
export interface CatalogueState {
  readonly columns: Columns;
  readonly coverage: Coverage;
  /** Unix seconds of the last comparison with the disk; null before the first. */
  readonly checkedAt: number | null;
}

const toPath = (place: string): string => place.slice(1);

/** Returns the entries at paths below a folder; marked entries may be missing. */
function entriesOf(columns: Columns, folder: readonly string[], paths: readonly string[]): Set<number> {
  const entries = new Set(paths.map((path) => columns.locate([...folder, ...namesOf(path)])));
  entries.delete(noEntry);
  return entries;
}

/** Responds to searches and questions about sizes, each from the part of the catalogue that the user may list. */
export class CatalogueRequests {
  readonly #host: RequestHost;
  readonly #state: () => CatalogueState;
  readonly #compiled = new LimitedMap<string, Promise<Visibility>>(maxCompiled);
  /** The visibility of the folders in the columns as they are now. */
  readonly #views = new LimitedMap<string, EntryVisibility>(maxViews);
  #searchedAtMs = -Infinity;

  constructor(host: RequestHost, state: () => CatalogueState) {
    this.#host = host;
    this.#state = state;
  }

  /** The time of the last search, in Unix milliseconds. */
  get searchedAtMs(): number {
    return this.#searchedAtMs;
  }

  /** Discards the cached visibility of folders. Must be called when the columns have changed. */
  forgetViews(): void {
    this.#views.clear();
  }

  async #visibilityOf(visible: VisiblePart): Promise<Visibility> {
    const key = visiblePartKey(visible);
    let visibility = this.#compiled.get(key);
    if (visibility === undefined) {
      visibility = compileVisibility(visible);
      this.#compiled.set(key, visibility);
    }
    return visibility;
  }

  /**
   * Finds the folder of a request and the entries in it that the user may list; null when the folder is not in the
   * catalogue.
   */
  async #viewOf(
    visible: VisiblePart,
  ): Promise<{ columns: Columns; top: number; visibility: EntryVisibility } | null> {
    const compiled = await this.#visibilityOf(visible);
    const { columns } = this.#state();
    const top = columns.locate(namesOf(toPath(visible.place)));
    if (top === noEntry || !columns.isFolder(top)) return null;
    const key = visiblePartKey(visible);
    let visibility = this.#views.get(key);
    if (visibility === undefined) {
      visibility = new EntryVisibility(columns, top, compiled);
      this.#views.set(key, visibility);
    }
    return { columns, top, visibility };
  }

  /** Responds to a search. */
  async find({ id, visible, near, used, only, stop, ...search }: FindRequest): Promise<void> {
    const stopped = new Int32Array(stop);
    const view = await this.#viewOf(visible);
    this.#searchedAtMs = this.#host.now();
    const { coverage, checkedAt } = this.#state();
    if (view === null) {
      const known = coverage === 'all' ? 'parts' : coverage;
      this.#host.post({ kind: 'found', id, rows: [], hasMore: false, coverage: known, checkedAt });
      return;
    }
    const { columns, top, visibility } = view;
    const folder = namesOf(toPath(visible.place));
    const { rows, hasMore } = searchColumns(
      columns,
      {
        ...search,
        top,
        near: near === null ? noEntry : columns.locate(namesOf(toPath(near))),
        used: new Map(
          used.map(({ path, at }) => [
            columns.locate(namesOf(path)),
            usePoints((search.now - at) / daySeconds),
          ]),
        ),
        only: only && entriesOf(columns, folder, only),
        isStopped: () => Atomics.load(stopped, 0) !== 0,
      },
      visibility,
    );
    this.#host.post({ kind: 'found', id, rows, hasMore, coverage, checkedAt });
  }

  #deadline(): () => boolean {
    const end = this.#host.now() + maxCountMs;
    return () => this.#host.now() > end;
  }

  /** Responds with the sizes of the folders in a folder. */
  async totals({ id, visible }: TotalsRequest): Promise<void> {
    const view = await this.#viewOf(visible);
    const { coverage, checkedAt } = this.#state();
    if (view === null) {
      this.#host.post({ kind: 'totals', id, self: null, rows: [], coverage, checkedAt });
      return;
    }
    const { columns, top, visibility } = view;
    const isLate = this.#deadline();
    const totalsOf = (folder: number, name: string): FolderTotals => ({
      name,
      // An incomplete sum would be misleading.
      totals: coverage === 'all' ? visibility.totals(folder, isLate) : null,
      checkedAt: columns.folders.checked[columns.slotOf(folder)] ?? 0,
    });
    const rows: FolderTotals[] = [];
    for (const child of columns.children(top))
      if (columns.isFolder(child) && visibility.shows(child))
        rows.push(totalsOf(child, columns.nameOf(child)));
    this.#host.post({ kind: 'totals', id, self: totalsOf(top, ''), rows, coverage, checkedAt });
  }

  /** Responds with the largest entries below a folder. */
  async map({ id, visible, depth, limit }: MapRequest): Promise<void> {
    const view = await this.#viewOf(visible);
    const { coverage, checkedAt } = this.#state();
    const map =
      view === null || coverage !== 'all'
        ? null
        : fillMap(view.columns, view.visibility, { top: view.top, depth, limit, isLate: this.#deadline() });
    const { self, rows } = map ?? { self: null, rows: [] };
    this.#host.post({ kind: 'map', id, self, rows, coverage, checkedAt });
  }
}
