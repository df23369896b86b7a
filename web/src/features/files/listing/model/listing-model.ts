import type { EntryFields } from './listing-columns.ts';
import { ListingContents, type OrderBefore } from './listing-contents.ts';
import { type MarqueeMode, type PositionRange, Selection } from './selection.ts';
import { findByPrefix } from './type-ahead.ts';

/** Where a drop would go: the id of a folder, `all` for the shown folder, or nowhere. */
export type DropTarget = number | 'all' | null;

/** The bits of {@link ListingModel.rowState}. */
export const rowBits = { selected: 1, drop: 2, tabStop: 4, dragged: 8 } as const;
const pendingShift = 2 ** 4;
const versionShift = 2 ** 12;
let models = 0;

/**
 * What a folder's screen shows: entries, order, selection and cursor, outside React. Rows read it by id through
 * {@link rowState}; everything else through versions that rise with each change.
 */
export class ListingModel extends ListingContents {
  /** Different for each model. */
  readonly key = ++models;
  readonly #selection = new Selection();
  #cursor: number | null = null;
  #anchor: number | null = null;
  #isSelecting = false;
  #dropTarget: DropTarget = null;
  #dragSource: number | null = null;
  /** Uploads by the id of their row: whole percent. */
  readonly #pending = new Map<number, number>();
  #selectionVersion = 0;
  #lowerNames: { version: number; names: (string | undefined)[] } = { version: -1, names: [] };

  get selectionVersion(): number {
    return this.#selectionVersion;
  }
  /** The position of the next name that begins with `text` (lower case), from `start` on and round, or null. */
  findByPrefix(text: string, start: number): number | null {
    if (this.#lowerNames.version !== this.orderVersion) {
      this.#lowerNames = { version: this.orderVersion, names: [] };
    }
    const { names } = this.#lowerNames;
    const order = this.order;
    return findByPrefix(text, start, order.length, (position) => {
      const known = names[position];
      if (known !== undefined) return known;
      return (names[position] = this.name(order[position] ?? 0).toLowerCase());
    });
  }

  /**
   * Shows an upload as a row, made at once when the folder has none of that name. `progress` goes from 0 to 1. Pending
   * rows cannot be selected. Returns the row's id.
   */
  setPending(entry: EntryFields, progress: number): number {
    const existing = this.find(entry.name);
    const id = existing ?? this.insert(entry);
    const percent = Math.round(Math.min(1, Math.max(0, progress)) * 100);
    if (this.#pending.get(id) !== percent) {
      this.#pending.set(id, percent);
      this.#selection.set(id, false);
      this.feed.emit();
    }
    return id;
  }

  /** The upload has arrived: its row becomes an ordinary entry. */
  settlePending(name: string, change: Partial<Omit<EntryFields, 'name' | 'isFolder'>> = {}): void {
    const id = this.find(name);
    if (id === null || !this.#pending.delete(id)) return;
    this.update(id, change);
  }

  /** The upload will not arrive. `existed` says that the folder had an entry of that name before; its row stays. */
  dropPending(name: string, { existed }: { existed: boolean }): void {
    const id = this.find(name);
    if (id === null || !this.#pending.delete(id)) return;
    if (existed) this.touched();
    else this.remove([id]);
  }

  /** How much of the upload has been sent, in percent, or null when the entry is no upload. */
  pendingPercent(id: number): number | null {
    return this.#pending.get(id) ?? null;
  }

  get selectedCount(): number {
    return this.#selection.count;
  }
  isSelected(id: number): boolean {
    return this.#selection.has(id);
  }
  /** The bytes of the selected files; folders do not count. */
  get selectedBytes(): number {
    let bytes = 0;
    if (this.selectedCount === 0) return bytes;
    for (const id of this.order) {
      if (this.#selection.has(id) && !this.isFolder(id)) bytes += this.size(id);
    }
    return bytes;
  }

  /** In the order shown. */
  selectedIds(): number[] {
    const ids: number[] = [];
    if (this.selectedCount === 0) return ids;
    for (const id of this.order) if (this.#selection.has(id)) ids.push(id);
    return ids;
  }

  /** Selects one entry and nothing else, and puts cursor and anchor on it. */
  only(id: number): void {
    this.#selection.clear();
    this.#select(id, true);
    this.#pointAt(id);
    this.#selected();
  }

  toggle(id: number): void {
    this.#select(id, !this.isSelected(id));
    this.#pointAt(id);
    this.#selected();
  }

  /** Selects from the anchor to `id`; with `isAdded` what is selected already stays. The cursor goes to `id`. */
  rangeTo(id: number, { isAdded = false }: { isAdded?: boolean } = {}): void {
    const to = this.position(id);
    if (to === null) return;
    const from = (this.#anchor === null ? null : this.position(this.#anchor)) ?? to;
    if (this.#anchor === null) this.#anchor = id;
    if (!isAdded) this.#selection.clear();
    this.#selection.addRange(this.order, { first: Math.min(from, to), last: Math.max(from, to) });
    this.#cursor = id;
    this.#selected();
  }

  selectAll(): void {
    this.#selection.addRange(this.order, { first: 0, last: this.count - 1 });
    this.#selected();
  }

  /** Selects exactly these entries. */
  select(ids: Iterable<number>): void {
    this.#selection.clear();
    for (const id of ids) this.#select(id, this.position(id) !== null);
    this.#selected();
  }

  /** Selects nothing. */
  clear(): void {
    this.#selection.clear();
    this.#selected();
  }

  beginMarquee(mode: MarqueeMode): void {
    this.#selection.beginMarquee(mode);
  }
  updateMarquee(ranges: readonly PositionRange[]): void {
    this.#selection.updateMarquee(this.order, ranges);
    this.#selected();
  }
  endMarquee(): void {
    this.#selection.endMarquee();
  }

  /** Multi-select mode, in which a tap or click adds and removes. */
  get isSelecting(): boolean {
    return this.#isSelecting;
  }
  setSelecting(isSelecting: boolean): void {
    if (this.#isSelecting === isSelecting) return;
    this.#isSelecting = isSelecting;
    this.#selected();
  }

  /** The entry that has the keyboard, or null while none had it yet. */
  get cursor(): number | null {
    return this.#cursor;
  }
  get anchor(): number | null {
    return this.#anchor;
  }
  /** Moves the cursor and selects nothing. */
  moveCursor(id: number | null): void {
    if (this.#cursor === id) return;
    this.#cursor = id;
    this.feed.emit();
  }

  get dropTarget(): DropTarget {
    return this.#dropTarget;
  }
  setDropTarget(target: DropTarget): void {
    if (this.#dropTarget === target) return;
    this.#dropTarget = target;
    this.feed.emit();
  }
  /** The row that a drag began on; it must stay in the page until the drag ends. */
  get dragSource(): number | null {
    return this.#dragSource;
  }
  setDragSource(id: number | null): void {
    if (this.#dragSource === id) return;
    this.#dragSource = id;
    this.feed.emit();
  }

  /** All that a row draws besides its fields, as one number: it changes when, and only when, the row looks different. */
  rowState(id: number): number {
    const isDragged = this.#dragSource !== null && (id === this.#dragSource || this.isSelected(id));
    const bits =
      (this.isSelected(id) ? rowBits.selected : 0) |
      (id === this.#dropTarget ? rowBits.drop : 0) |
      (id === (this.#cursor ?? this.idAt(0)) ? rowBits.tabStop : 0) |
      (isDragged ? rowBits.dragged : 0);
    const pending = (this.#pending.get(id) ?? -1) + 1;
    return this.dataVersion * versionShift + pending * pendingShift + bits;
  }

  protected override onCleared(): void {
    this.#selection.clear();
    this.#pending.clear();
    this.#cursor = null;
    this.#anchor = null;
    this.#dropTarget = null;
    this.#dragSource = null;
    this.#isSelecting = false;
    this.#selectionVersion++;
  }

  protected override onGrown(capacity: number): void {
    this.#selection.makeRoom(capacity);
  }

  protected override isKept(id: number): boolean {
    return this.#pending.has(id);
  }

  /** A cursor whose entry has gone moves to the next one that stayed, else to the one before. */
  protected override onGone(ids: ReadonlySet<number>, { order, at }: OrderBefore): void {
    if (this.#cursor !== null && ids.has(this.#cursor)) {
      const place = Math.max(0, at(this.#cursor));
      const stayed = (id: number): boolean => !ids.has(id);
      this.#cursor = order.subarray(place).find(stayed) ?? order.subarray(0, place).findLast(stayed) ?? null;
    }
    for (const id of ids) {
      this.#selection.set(id, false);
      this.#pending.delete(id);
      if (this.#dropTarget === id) this.#dropTarget = null;
      if (this.#dragSource === id) this.#dragSource = null;
    }
    if (this.#anchor !== null && ids.has(this.#anchor)) this.#anchor = this.#cursor;
    this.#selectionVersion++;
  }

  #select(id: number, isSelected: boolean): void {
    this.#selection.set(id, isSelected && !this.#pending.has(id));
  }

  #pointAt(id: number): void {
    this.#cursor = id;
    this.#anchor = id;
  }

  #selected(): void {
    for (const id of this.#pending.keys()) this.#selection.set(id, false);
    this.#selectionVersion++;
    this.feed.emit();
  }
}
