import { entryTypes, type ListingRow } from '@filestead/contract/files';
import { isCatalogueOn } from '../../api/catalogue.ts';
import { isAbort } from '../../api/api-error.ts';
import type { FoundEntry } from '../../features/search/find-entries.ts';
import { queryParts } from '../../features/search/search-query.ts';
import { listRows } from '../scattered/list-rows.ts';
import { ScatteredSession } from '../scattered/scattered-session.ts';
import { findPhotos } from './find-photos.ts';

/** The state of the photos besides the listed entries. `off`: the server has no catalogue. */
export type PhotosState = 'loading' | 'complete' | 'off';

/** The time without scrolling after which further photos are added, because adding them to 100,000 takes long, in ms. */
const calmAfterMs = 250;

/** Whether a query consists of words only, which the page finds itself among the loaded photos. */
function hasOnlyWords(query: string): boolean {
  const { excluded, operators } = queryParts(query);
  return excluded.length === 0 && operators.length === 0 && !/["*?]/u.test(query);
}

/** All pictures and videos of the user as the entries of a listing, each known to the model by its path from the root. */
export class PhotosSession extends ScatteredSession {
  override readonly hasViews = false;
  #state: PhotosState = isCatalogueOn() ? 'loading' : 'off';
  #hasLoaded = false;
  /** The query that the server has to answer; empty when all photos are loaded. */
  #query = '';
  #isStarted = false;

  #scrolledMs = Number.NEGATIVE_INFINITY;
  readonly #onScroll = (): void => {
    this.#scrolledMs = performance.now();
  };

  override start(): void {
    this.#isStarted = true;
    document.addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
    super.start();
  }

  override stop(): void {
    this.#isStarted = false;
    document.removeEventListener('scroll', this.#onScroll, { capture: true });
    super.stop();
  }

  /**
   * Shows the photos that match a query. Words are found among the loaded photos at once; a query with operators, phrases, wildcards or
   * excluded words is sent to the server.
   */
  search(query: string): void {
    const isLocal = hasOnlyWords(query);
    this.model.filter(isLocal ? query : '');
    const sent = isLocal ? '' : query;
    if (sent === this.#query) return;
    this.#query = sent;
    this.#hasLoaded = false;
    if (!this.#isStarted) return;
    this.#setState(isCatalogueOn() ? 'loading' : 'off');
    this.restart();
  }

  readonly getState = (): PhotosState => this.#state;

  protected override async load(signal: AbortSignal): Promise<null> {
    const found = new Map<string, FoundEntry>();
    // The listing is updated after the 1st, 2nd, 4th, 8th page, so that its sorting does not grow with the square of their number.
    let [pages, shownPages] = [0, 0];
    try {
      if (isCatalogueOn()) {
        for await (const entries of findPhotos(signal, { words: this.#query })) {
          if (signal.aborted) return null;
          for (const entry of entries) found.set(entry.path, entry);
          pages += 1;
          if (this.#hasLoaded || pages < 2 * shownPages) continue;
          if (pages > 1) await this.#waitForCalm();
          if (signal.aborted) return null;
          shownPages = pages;
          this.#show(found);
          this.setStatus({ kind: 'shown' });
        }
        if (pages > 1) await this.#waitForCalm();
      }
      if (signal.aborted) return null;
      this.#show(found);
      this.#hasLoaded = true;
      this.#setState(isCatalogueOn() ? 'complete' : 'off');
      this.setStatus({ kind: 'shown' });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return null;
      this.setStatus(found.size > 0 ? { kind: 'truncated' } : { kind: 'failed', error });
    }
    return null;
  }

  #setState(state: PhotosState): void {
    this.#state = state;
    this.notify();
  }

  /** Resolves when nothing has been scrolled for {@link calmAfterMs}. */
  async #waitForCalm(): Promise<void> {
    for (;;) {
      const restMs = this.#scrolledMs + calmAfterMs - performance.now();
      if (restMs <= 0) return;
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  #show(found: ReadonlyMap<string, FoundEntry>): void {
    const { model } = this;
    const rowOf = ({ path, size, modifiedMs, type }: FoundEntry): ListingRow => [
      this.nameFor(path),
      size ?? 0,
      modifiedMs ?? 0,
      entryTypes.indexOf(type ?? 'blob'),
    ];
    const source = { nameOf: ({ path }: FoundEntry) => this.nameFor(path), isFolder: () => false, rowOf };
    model.batch(() => listRows(model, [...found.values()], source));
  }
}
