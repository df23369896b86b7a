import type { MediaSize } from '@filestead/contract/previews';
import { maxMediaNames } from '@filestead/contract/values/limits';
import { defaultTileWidthPx } from '../model/listing-geometry.ts';
import type { ListingModel } from '../model/listing-model.ts';
import type { PositionRange } from '../model/selection.ts';
import {
  PhotoLayout,
  type PhotoGrouping,
  type PhotoSpace,
  phonePhotoRowPx,
  photoRowPx,
  widePhotoRowPx,
} from './photo-layout.ts';
import { PhotoSizes } from './photo-sizes.ts';

/** Requests the sizes of files of the folder. May return fewer rows than names. */
export type LoadMedia = (
  names: readonly string[],
  signal: AbortSignal,
) => Promise<readonly (MediaSize | null)[]>;

/** The number of photos of the first request: those that are likely to be on screen. */
const firstNames = 60;
/** The time without scrolling after which photos move to the positions that result from their sizes, in ms. */
const calmAfterMs = 200;
/** The time within which sizes of photos outside the window are collected before everything is laid out again, in ms. */
const collectMs = 1_000;
/** Collecting takes at least this many times as long as the last arrangement, so that 100,000 photos are seldom laid out. */
const collectFactor = 25;
/** The time for which photos are not drawn because their sizes are on the way, in ms. */
const maxHiddenMs = 300;
/** The delay before requests are repeated after a failure, in ms. */
const retryAfterMs = 5_000;
/** The width of the window from which rows are higher, in px. */
const wideWindowPx = 1_700;

/** More than the seconds of any date, so that a place and a date are one number by which photos are sorted. */
const secondsPerPlace = 2 ** 34;

/** The parts of the layout that do not depend on the photos. */
export interface PhotoFrame {
  readonly widthPx: number;
  readonly isPhone: boolean;
  readonly hasNewRow: boolean;
  readonly tileWidthPx: number | undefined;
  readonly grouping: PhotoGrouping;
}

/**
 * Lays out the files of a folder as photos. Loads their sizes and dates, those on screen first, and lays them out again when these
 * have arrived and nobody is scrolling.
 */
export class PhotoView {
  readonly sizes = new PhotoSizes();
  readonly #model: ListingModel;
  readonly #load: LoadMedia | undefined;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #window: PositionRange = { first: 0, last: -1 };
  #running: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #nextTimer: ReturnType<typeof setTimeout> | undefined;
  /** The position up to which all files have been requested. */
  #searchedTo = 0;
  /** The state of the model in which no file was missing. */
  #completeAt = '';
  /** Whether sizes or dates have arrived since the photos were laid out. */
  #needsLayout = false;
  /** Whether dates or places have arrived since the photos were sorted. */
  #hasNewOrder = false;
  #isStarted = false;
  #isByPlace = false;
  /** The duration of the last arrangement, with everything that it made the page do, in ms. */
  #arrangingMs = 0;
  /** Whether any of these sizes or dates belong to photos on screen. */
  #isChangeVisible = false;
  #lastScrollMs = -Infinity;
  #isSettled: boolean;
  #layout: { key: string; layout: PhotoLayout } | null = null;

  constructor(model: ListingModel, load: LoadMedia | undefined) {
    this.#model = model;
    this.#load = load;
    this.#isSettled = load === undefined;
  }

  /** Increases when photos have to be laid out again. */
  get version(): number {
    return this.#version;
  }

  /** Whether the photos on screen have been laid out with their sizes, or that takes too long. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts to load sizes. Returns the function that stops. */
  start(): () => void {
    this.#isStarted = true;
    this.#arrange();
    const hidden = setTimeout(() => this.#settle(), maxHiddenMs);
    return () => {
      clearTimeout(hidden);
      clearTimeout(this.#timer);
      clearTimeout(this.#retryTimer);
      clearTimeout(this.#nextTimer);
      this.#timer = undefined;
      this.#running?.abort();
      this.#running = null;
      this.#isStarted = false;
      this.#model.arrangeByDate(null);
    };
  }

  /** Sorts the photos for headings of days or months, or for those of places. */
  groupBy(grouping: PhotoGrouping): void {
    const isByPlace = grouping === 'place';
    if (isByPlace === this.#isByPlace) return;
    this.#isByPlace = isByPlace;
    if (this.#isStarted) this.#arrange();
  }

  /** Returns the layout for `frame`: the same object until something changes. */
  layout(frame: PhotoFrame, orderVersion: number): PhotoLayout {
    const key = `${JSON.stringify(frame)} ${this.#version} ${orderVersion} ${this.#model.count} ${this.#model.numFolders}`;
    if (this.#layout?.key === key) return this.#layout.layout;
    const { tileWidthPx = defaultTileWidthPx, isPhone } = frame;
    // Until the photos are sorted for other headings.
    const grouping = (frame.grouping === 'place') === this.#isByPlace ? frame.grouping : null;
    const basePx = isPhone ? phonePhotoRowPx : innerWidth >= wideWindowPx ? widePhotoRowPx : photoRowPx;
    const scale = (isPhone ? 1 : tileWidthPx / defaultTileWidthPx) * (grouping === 'month' ? 0.6 : 1);
    const space: PhotoSpace = { ...frame, grouping, rowPx: Math.round(basePx * scale) };
    const { sizes } = this;
    const model = this.#model;
    const layout = new PhotoLayout(
      {
        order: model.order,
        numFolders: model.numFolders,
        ratioOf: (id) => (sizes.isSizeKnown(id) || model.isMedia(id) ? sizes.ratioOf(id) : 1),
        timeOf: (id) => this.#timeOf(id),
        placeOf: (id) => sizes.placeNumberOf(id),
      },
      space,
    );
    this.#layout = { key, layout };
    return layout;
  }

  /** Sets the rendered positions, whose sizes are requested first. */
  show(window: PositionRange): void {
    this.#window = window;
    this.#requestSoon();
  }

  /** Has to be called while the listing is scrolled: nothing moves until that ends. */
  onScroll(): void {
    this.#lastScrollMs = performance.now();
  }

  /** Uses the proportions of a loaded picture, for files whose size the server does not know. */
  storeLoaded(id: number, width: number, height: number): void {
    if (this.sizes.storeLoaded(id, width, height)) this.#changed(true);
  }

  #requestSoon(): void {
    if (this.#load === undefined || this.#running !== null) return;
    const names = this.#nextNames();
    if (names.length > 0) void this.#request(this.#load, names);
    else this.#settle();
  }

  /** Requests the next files in a task of its own, so that frames are drawn in between, and only once nobody is scrolling. */
  #requestLater(): void {
    clearTimeout(this.#nextTimer);
    const restMs = Math.max(0, calmAfterMs - (performance.now() - this.#lastScrollMs));
    this.#nextTimer = setTimeout(() => {
      if (performance.now() - this.#lastScrollMs < calmAfterMs) this.#requestLater();
      else this.#requestSoon();
    }, restMs);
  }

  /** Returns the next files to request: those on screen, then the others in their order. */
  #nextNames(): { id: number; name: string; isShown: boolean }[] {
    const model = this.#model;
    const { first, last } = this.#window;
    const found: { id: number; name: string; isShown: boolean }[] = [];
    const limit = this.#isSettled ? maxMediaNames : firstNames;
    const add = (position: number, isShown: boolean): void => {
      const id = model.idAt(position);
      if (id === null || !model.isMedia(id) || model.pendingPercent(id) !== null) return;
      if (this.sizes.isMissing(id, model.modifiedMs(id)))
        found.push({ id, name: model.item(id).path, isShown });
    };
    for (let position = first; position <= last && found.length < limit; position++) add(position, true);
    if (found.length > 0) return found;
    const state = `${model.orderVersion} ${model.dataVersion}`;
    if (state === this.#completeAt) return found;
    if (this.#searchedTo >= model.count) this.#searchedTo = 0;
    let left = model.count;
    while (left > 0 && found.length < limit) {
      add(this.#searchedTo, false);
      this.#searchedTo = (this.#searchedTo + 1) % Math.max(1, model.count);
      left -= 1;
    }
    if (found.length === 0) this.#completeAt = state;
    return found;
  }

  async #request(
    load: LoadMedia,
    entries: readonly { id: number; name: string; isShown: boolean }[],
  ): Promise<void> {
    const controller = new AbortController();
    this.#running = controller;
    const { sizes } = this;
    for (const { id } of entries) sizes.markRequested(id, this.#model.modifiedMs(id));
    try {
      const rows = await load(
        entries.map(({ name }) => name),
        controller.signal,
      );
      if (controller.signal.aborted) return;
      let hasMoved = false;
      for (const [index, { id }] of entries.entries()) {
        const row = rows[index];
        if (row === undefined) sizes.unmarkRequested(id);
        else {
          const change = sizes.store(id, row);
          if (change !== null) hasMoved = true;
          if (change === 'order') this.#hasNewOrder = true;
        }
      }
      this.#running = null;
      if (hasMoved) this.#changed(entries.some(({ isShown }) => isShown));
      this.#requestLater();
    } catch {
      for (const { id } of entries) sizes.unmarkRequested(id);
      if (controller.signal.aborted) return;
      // The photos stay as they are; the server may answer later.
      this.#settle();
      this.#retryTimer = setTimeout(() => {
        this.#running = null;
        this.#requestSoon();
      }, retryAfterMs);
    }
  }

  #changed(isVisible: boolean): void {
    this.#needsLayout = true;
    this.#isChangeVisible ||= isVisible;
    if (!this.#isSettled) {
      this.#settle();
      return;
    }
    if (this.#isChangeVisible) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#timer ??= setTimeout(
      () => this.#flush(),
      this.#isChangeVisible ? 0 : Math.max(collectMs, collectFactor * this.#arrangingMs),
    );
  }

  #flush(): void {
    this.#timer = undefined;
    const restMs = calmAfterMs - (performance.now() - this.#lastScrollMs);
    if (restMs > 0) {
      this.#timer = setTimeout(() => this.#flush(), restMs);
      return;
    }
    if (!this.#needsLayout) return;
    this.#needsLayout = false;
    this.#isChangeVisible = false;
    this.#version += 1;
    const startedMs = performance.now();
    this.#model.batch(() => {
      // Sorting is left out where only sizes have arrived.
      if (this.#hasNewOrder) this.#arrange();
      for (const listener of this.#listeners) listener();
    });
    // The page renders the new layout before the next task.
    setTimeout(() => {
      this.#arrangingMs = performance.now() - startedMs;
    });
  }

  /** The date of a photo. A file of unknown age comes last. */
  #timeOf(id: number): number {
    return (this.sizes.takenMsOf(id) ?? this.#model.modifiedMs(id)) || 0;
  }

  /** Sorts the photos by date, or by place and date: the place with the latest photo first, unknown ones last. */
  #arrange(): void {
    const { sizes } = this;
    this.#hasNewOrder = false;
    if (!this.#isByPlace) {
      this.#model.arrangeByDate((id) => sizes.takenMsOf(id));
      return;
    }
    const places = sizes.placesByTime((id) => this.#timeOf(id));
    const ranks = new Uint32Array(places.length + 1);
    for (const [index, place] of places.entries()) ranks[place] = places.length - index;
    this.#model.arrangeByDate(
      (id) =>
        (ranks[sizes.placeNumberOf(id)] ?? 0) * secondsPerPlace +
        Math.min(secondsPerPlace - 1, Math.max(0, this.#timeOf(id) / 1000)),
    );
  }

  #settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#needsLayout = true;
    this.#flush();
  }
}
