import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { isAbort } from '../../api/call.ts';
import { findByPrefix } from '../../ui/keyboard/type-ahead.ts';
import { everything, loadFirstItems, streamItems, type TrashFilter } from './load-trash.ts';

/**
 * The state of the list. `first`: the latest items are shown and the others are arriving. `truncated`: the connection
 * broke before all arrived.
 */
export type TrashPhase = 'loading' | 'first' | 'ready' | 'truncated' | 'failed';

/** The bits of {@link TrashModel.rowState}. */
export const trashRowBits = { selected: 1, tabStop: 2 } as const;

/** The minimum time between two notifications about arriving items, in ms. */
const notifyIntervalMs = 100;

/**
 * The trash outside React: the items, the latest deletion first, the selection and the cursor. Rows subscribe to {@link
 * rowState}, everything else to {@link getSnapshot}, a number that changes with the model.
 */
export class TrashModel {
  #filter = everything;
  #items: TrashItem[] = [];
  /** Positions by id; null after a change, until one is needed. */
  #positions: Map<string, number> | null = null;
  #expected = 0;
  #phase: TrashPhase = 'loading';
  #error: unknown = null;
  readonly #selected = new Set<string>();
  #cursor: string | null = null;
  #anchor: string | null = null;
  #isSelecting = false;
  /** The distance by which the list was scrolled, in px, for when the user returns to it. */
  scrollTopPx = 0;
  #running: AbortController | null = null;
  #version = 0;
  #notifiedAtMs = 0;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getSnapshot = (): number => this.#version;

  get filter(): TrashFilter {
    return this.#filter;
  }
  get phase(): TrashPhase {
    return this.#phase;
  }
  /** The error of the phase `failed`. */
  get error(): unknown {
    return this.#error;
  }
  /** The items that have arrived. */
  get items(): readonly TrashItem[] {
    return this.#items;
  }
  /** The number of items of the complete list. */
  get count(): number {
    return this.#phase === 'first' ? Math.max(this.#expected, this.#items.length) : this.#items.length;
  }

  /** Loads the list with `filter`. The shown items remain until the first ones of the new list arrive. */
  async show(filter: TrashFilter): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    const { isMine, query, below } = this.#filter;
    const hasOtherFilter = filter.isMine !== isMine || filter.query !== query || filter.below !== below;
    this.#filter = filter;
    if (this.#phase === 'failed') this.#setPhase('loading');
    try {
      const { items, next, total } = await loadFirstItems(filter, signal);
      signal.throwIfAborted();
      this.#items = items;
      this.#positions = null;
      this.#expected = total;
      if (hasOtherFilter) this.#forgetSelection();
      if (next === null) {
        this.#complete();
        return;
      }
      this.#setPhase('first');
      await streamItems(filter, next, { signal, onItems: (more) => this.#append(more, signal) });
      signal.throwIfAborted();
      this.#complete();
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#error = error;
      this.#setPhase(this.#phase === 'first' ? 'truncated' : 'failed');
    }
  }

  /** Loads the list again. */
  reload(): Promise<void> {
    return this.show(this.#filter);
  }

  /** Stops loading. */
  stop(): void {
    this.#running?.abort();
    this.#running = null;
  }

  item(id: string): TrashItem | null {
    const position = this.position(id);
    return position === null ? null : (this.#items[position] ?? null);
  }

  position(id: string): number | null {
    this.#positions ??= new Map(this.#items.map((item, index) => [item.id, index]));
    return this.#positions.get(id) ?? null;
  }

  /**
   * Removes items that were restored or deleted forever. The cursor moves to the next remaining item, else to the
   * previous one.
   */
  remove(ids: ReadonlySet<string>): void {
    if (this.#cursor !== null && ids.has(this.#cursor)) {
      const at = this.position(this.#cursor) ?? 0;
      const remains = ({ id }: TrashItem): boolean => !ids.has(id);
      const next = this.#items.slice(at).find(remains) ?? this.#items.slice(0, at).findLast(remains);
      this.#cursor = next?.id ?? null;
    }
    const before = this.#items.length;
    this.#items = this.#items.filter(({ id }) => !ids.has(id));
    this.#expected -= before - this.#items.length;
    this.#positions = null;
    for (const id of ids) this.#selected.delete(id);
    if (this.#anchor !== null && ids.has(this.#anchor)) this.#anchor = this.#cursor;
    if (this.#selected.size === 0) this.#isSelecting = false;
    this.#changed();
  }

  get selectedCount(): number {
    return this.#selected.size;
  }
  isSelected(id: string): boolean {
    return this.#selected.has(id);
  }
  /** Returns the selected items in the order of the list. */
  selectedItems(): TrashItem[] {
    return this.#selected.size === 0 ? [] : this.#items.filter(({ id }) => this.#selected.has(id));
  }

  /** Selects only this item and moves cursor and anchor to it. */
  selectOnly(id: string): void {
    this.#selected.clear();
    this.#selected.add(id);
    this.#cursor = id;
    this.#anchor = id;
    this.#changed();
  }

  toggle(id: string): void {
    if (!this.#selected.delete(id)) this.#selected.add(id);
    this.#cursor = id;
    this.#anchor = id;
    this.#changed();
  }

  /** Selects from the anchor to `id` and moves the cursor there; with `isAdded` the selection is extended. */
  rangeTo(id: string, { isAdded = false }: { isAdded?: boolean } = {}): void {
    const to = this.position(id);
    if (to === null) return;
    const from = (this.#anchor === null ? null : this.position(this.#anchor)) ?? to;
    this.#anchor ??= id;
    if (!isAdded) this.#selected.clear();
    for (const item of this.#items.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      this.#selected.add(item.id);
    }
    this.#cursor = id;
    this.#changed();
  }

  /** Selects all items that have arrived. */
  selectAll(): void {
    for (const { id } of this.#items) this.#selected.add(id);
    this.#changed();
  }

  clearSelection(): void {
    this.#selected.clear();
    this.#isSelecting = false;
    this.#changed();
  }

  /** Whether multi-select mode is on, in which a tap or click toggles items. */
  get isSelecting(): boolean {
    return this.#isSelecting;
  }
  setSelecting(isSelecting: boolean): void {
    this.#isSelecting = isSelecting;
    this.#changed();
  }

  /** The item with the keyboard focus; null before the first. */
  get cursor(): string | null {
    return this.#cursor;
  }
  /** Moves the cursor without selecting. */
  moveCursor(id: string): void {
    if (this.#cursor === id) return;
    this.#cursor = id;
    this.#changed();
  }

  /** Returns the position of the next name that begins with `text` (lower case), from `start` on, or null. */
  findByPrefix(text: string, start: number): number | null {
    return findByPrefix(text, start, this.#items.length, (at) => this.#items[at]?.name.toLowerCase() ?? '');
  }

  /** The appearance of a row besides its item: a number that changes exactly when the row looks different. */
  rowState(id: string): number {
    return (
      (this.#selected.has(id) ? trashRowBits.selected : 0) |
      (id === (this.#cursor ?? this.#items[0]?.id) ? trashRowBits.tabStop : 0)
    );
  }

  #append(items: readonly TrashItem[], signal: AbortSignal): void {
    if (signal.aborted) return;
    for (const item of items) this.#items.push(item);
    this.#positions = null;
    const nowMs = performance.now();
    if (nowMs - this.#notifiedAtMs < notifyIntervalMs) return;
    this.#notifiedAtMs = nowMs;
    this.#changed();
  }

  /** Ends loading. Items that are no longer in the list leave the selection. */
  #complete(): void {
    this.#running = null;
    this.#expected = this.#items.length;
    for (const id of this.#selected) if (this.position(id) === null) this.#selected.delete(id);
    if (this.#cursor !== null && this.position(this.#cursor) === null) this.#cursor = null;
    if (this.#anchor !== null && this.position(this.#anchor) === null) this.#anchor = null;
    this.#setPhase('ready');
  }

  #forgetSelection(): void {
    this.#selected.clear();
    this.#isSelecting = false;
    this.#cursor = null;
    this.#anchor = null;
  }

  #setPhase(phase: TrashPhase): void {
    this.#phase = phase;
    this.#changed();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
