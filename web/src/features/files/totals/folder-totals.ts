import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isAbort } from '../../../api/api-error.ts';
import { onFilesChange } from '../entries/changes.ts';
import type { FolderTotal } from '../listing/model/listing-entries.ts';
import { publishLeaves } from '../tree/publish-leaves.ts';
import type { ListingModel } from '../listing/model/listing-model.ts';
import { oldSizeMs } from '../listing/rows/entry-texts.tsx';
import { isUserBusy, trackPointers } from '../live/user-activity.ts';
import { buildingDelay, requestTotals } from './request-totals.ts';

/** The delay before the sizes are requested again after a change, in ms; the catalogue follows changes at once. */
const afterChangeMs = 1500;
/** The age from which sizes are requested again when the page becomes visible, in ms. */
const staleMs = 60_000;
/** The interval at which it is checked whether waiting sizes may change the order, in ms. */
const busyMs = 300;

/** The folder whose folders have sizes. */
export interface TotalsTarget {
  readonly path: VirtualPath;
  readonly model: ListingModel;
}

/** Loads the sizes of the folders in a listing, and keeps them up to date. */
export class FolderTotals {
  readonly #target: TotalsTarget;
  readonly #listening = new AbortController();
  readonly #unsubscribe: readonly (() => void)[];
  #running: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #buildingRequests = 0;
  /** Whether sizes are shown with their time. */
  #hasOldSizes = false;
  #isSetting = false;
  /** The version of the rows after the last sizes; a later one means that entries have changed. */
  #version: number;

  constructor(target: TotalsTarget) {
    this.#target = target;
    const { model } = target;
    this.#version = model.dataVersion;
    trackPointers();
    this.#unsubscribe = [
      model.subscribe(() => {
        if (this.#isSetting || model.dataVersion === this.#version || model.phase !== 'ready') return;
        this.#version = model.dataVersion;
        this.#loadAfter(afterChangeMs);
      }),
      // Changes inside the folders.
      onFilesChange(() => this.#loadAfter(afterChangeMs)),
    ];
    document.addEventListener(
      'visibilitychange',
      () => {
        if (!document.hidden && performance.now() > this.#loadedAtMs + staleMs) void this.#load();
      },
      { signal: this.#listening.signal },
    );
    void this.#load();
  }

  stop(): void {
    this.#listening.abort();
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  #loadAfter(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), delayMs);
  }

  async #load(): Promise<void> {
    const { path } = this.#target;
    clearTimeout(this.#timer);
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    try {
      const { totals, isBuilding } = await requestTotals(path, signal);
      if (signal.aborted) return;
      this.#loadedAtMs = performance.now();
      publishLeaves(path, totals);
      this.#show(totals);
      if (document.hidden) return;
      const delayMs = isBuilding ? buildingDelay(++this.#buildingRequests) : null;
      if (delayMs !== null) this.#loadAfter(delayMs);
      // A comparison of the catalogue may be in progress, which makes the sizes current.
      else if (this.#hasOldSizes) this.#loadAfter(staleMs);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      // Without an answer the sizes stay as they are; those that are unknown get a dash.
      if (this.#loadedAtMs < 0) this.#set(null);
    }
  }

  #show(totals: ReadonlyMap<string, FolderTotal>): void {
    const { model } = this.#target;
    // The order does not change under the pointer.
    const moves = model.sorting.by === 'size';
    if (moves && (model.dragSource !== null || isUserBusy())) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#show(totals), busyMs);
      return;
    }
    this.#hasOldSizes = [...totals.values()].some(
      ({ checkedAtMs }) => checkedAtMs !== null && Date.now() - checkedAtMs >= oldSizeMs,
    );
    this.#set(totals);
  }

  /** Sets the sizes, which does not count as a change of the entries. */
  #set(totals: ReadonlyMap<string, FolderTotal> | null): void {
    const { model } = this.#target;
    this.#isSetting = true;
    model.setTotals(totals);
    this.#isSetting = false;
    this.#version = model.dataVersion;
  }
}
