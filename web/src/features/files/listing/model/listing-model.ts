import type { ReactNode } from 'react';
import type { EntryFields } from './entry-columns.ts';
import { ListingContents, type OrderBefore } from './listing-contents.ts';
import { type MarqueeMode, type PositionRange, Selection } from './selection.ts';
import { findByPrefix } from '../../../../ui/keyboard/type-ahead.ts';

/** The target of a drop: the id of a folder, `all` for the shown folder, or null. */
export type DropTarget = number | 'all' | null;

/** The bits of {@link ListingModel.rowState}. */
export const rowBits = {
  selected: 1,
  drop: 2,
  tabStop: 4,
  dragged: 8,
  arrived: 16,
  sizeFraction: 2 ** 12,
} as const;
const pendingShift = 2 ** 5;
const versionShift = 2 ** 13;
let models = 0;

/** Names of entries that others have added, and of selected ones that they have removed. */
export interface ForeignChanges {
  readonly arrived: readonly string[];
  readonly lost: readonly string[];
}

/**
 * The state of a folder's screen outside React: entries, order, selection and cursor. Rows subscribe by id to {@link
 * rowState}, everything else to versions that increase with each change.
 */
export class ListingModel extends ListingContents {
  /** A key that is unique to each model. */
  readonly key = ++models;
  readonly #selection = new Selection();
  #cursor: number | null = null;
  #anchor: number | null = null;
  #isSelecting = false;
  #dropTarget: DropTarget = null;
  #dragSource: number | null = null;
  /** Progress of uploads by the id of their row, in whole percent. */
  readonly #pending = new Map<number, number>();
  /** Rows that others added a moment ago. */
  readonly #arrived = new Set<number>();
  #isMoving = false;
  #foreignChanges: ForeignChanges = { arrived: [], lost: [] };
  #decorate: ((path: string) => ReactNode) | null = null;
  #selectionVersion = 0;
  #lowerNames: { version: number; names: (string | undefined)[] } = { version: -1, names: [] };

  get selectionVersion(): number {
    return this.#selectionVersion;
  }
  /**
   * Returns the position of the next name that begins with `text` (lower case), from `start` on and wrapping around,
   * or null.
   */
  findByPrefix(text: string, start: number): number | null {
    if (this.#lowerNames.version !== this.orderVersion) {
      this.#lowerNames = { version: this.orderVersion, names: [] };
    }
    const { names } = this.#lowerNames;
    const order = this.order;
    return findByPrefix(text, start, order.length, (position) => {
      const existing = names[position];
      if (existing !== undefined) return existing;
      return (names[position] = this.name(order[position] ?? 0).toLowerCase());
    });
  }

  /**
   * Shows an upload as a row, which is created if the folder has no entry of that name. `progress` is from 0 to 1.
   * Pending rows cannot be selected. Returns the row's id.
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

  /** Turns the row of a completed upload into an ordinary entry. */
  completePending(name: string, change: Partial<Omit<EntryFields, 'name' | 'isFolder'>> = {}): void {
    const id = this.find(name);
    if (id === null || !this.#pending.delete(id)) return;
    this.update(id, change);
  }

  /**
   * Removes the row of a failed upload. If `existed`, the folder already had an entry of that name, and its row
   * remains.
   */
  removePending(name: string, { existed }: { existed: boolean }): void {
    const id = this.find(name);
    if (id === null || !this.#pending.delete(id)) return;
    if (existed) this.markChanged();
    else this.remove([id]);
  }

  /** Returns the progress of an upload in percent, or null for other entries. */
  pendingPercent(id: number): number | null {
    return this.#pending.get(id) ?? null;
  }

  /** Marks rows that others have added, or removes the mark. */
  markArrived(ids: readonly number[], isMarked: boolean): void {
    for (const id of ids) {
      if (isMarked) this.#arrived.add(id);
      else this.#arrived.delete(id);
    }
    this.feed.emit();
  }

  /** The entries that others have just added, while their rows are marked. */
  get arrived(): ReadonlySet<number> {
    return this.#arrived;
  }

  /** Whether rows are animated to their new positions. */
  get isMoving(): boolean {
    return this.#isMoving;
  }
  setMoving(isMoving: boolean): void {
    if (this.#isMoving === isMoving) return;
    this.#isMoving = isMoving;
    this.feed.emit();
  }

  /** Sets what rows show after the name of an entry, such as its tags; null for nothing. */
  decorate(decorate: ((path: string) => ReactNode) | null): void {
    if (this.#decorate === decorate) return;
    this.#decorate = decorate;
    this.markChanged();
  }

  /** Returns what the row of an entry shows after its name, by its path from the listed folder. */
  decoration(path: string): ReactNode {
    return this.#decorate?.(path);
  }

  /** Records changes by others, to be announced to screen readers. */
  queueForeignChanges({ arrived, lost }: ForeignChanges): void {
    if (arrived.length === 0 && lost.length === 0) return;
    this.#foreignChanges = {
      arrived: [...this.#foreignChanges.arrived, ...arrived],
      lost: [...this.#foreignChanges.lost, ...lost],
    };
    this.feed.emit();
  }

  /** Whether {@link takeForeignChanges} would return names. */
  get hasForeignChanges(): boolean {
    return this.#foreignChanges.arrived.length > 0 || this.#foreignChanges.lost.length > 0;
  }

  /**
   * Returns the changes that have not been announced, and forgets them. Entries that have gone again are left out, and selected
   * ones: the user's own undo has brought them back, and reports it.
   */
  takeForeignChanges(): ForeignChanges {
    const { arrived, lost } = this.#foreignChanges;
    this.#foreignChanges = { arrived: [], lost: [] };
    const isForeign = (name: string): boolean => {
      const id = this.find(name);
      return id !== null && !this.isSelected(id);
    };
    return { arrived: arrived.filter(isForeign), lost };
  }

  get selectedCount(): number {
    return this.#selection.count;
  }
  isSelected(id: number): boolean {
    return this.#selection.has(id);
  }
  /** Whether all shown entries are selected. */
  get isAllSelected(): boolean {
    return this.selectedCount > 0 && this.selectedCount >= this.count - this.#pending.size;
  }
  /** Whether a folder, whose size is unknown, is selected. */
  get hasSelectedFolder(): boolean {
    return (
      this.selectedCount > 0 &&
      this.order
        .subarray(0, this.isRanked ? this.count : this.numFolders)
        .some((id) => this.isSelected(id) && this.isFolder(id) && !this.total(id))
    );
  }
  /** The total size of the selected entries in bytes; of the files only, while the size of a folder is unknown. */
  get selectedBytes(): number {
    return this.bytesOf(this.selectedIds());
  }

  /** Returns the selected ids in the shown order. */
  selectedIds(): number[] {
    const ids: number[] = [];
    if (this.selectedCount === 0) return ids;
    for (const id of this.order) if (this.#selection.has(id)) ids.push(id);
    return ids;
  }

  /** Selects only this entry and moves cursor and anchor to it. */
  selectOnly(id: number): void {
    this.#selection.clear();
    this.#select(id, true);
    this.#moveCursorAndAnchor(id);
    this.#selectionChanged();
  }

  toggle(id: number): void {
    this.#select(id, !this.isSelected(id));
    this.#moveCursorAndAnchor(id);
    this.#selectionChanged();
  }

  /** Selects from the anchor to `id` and moves the cursor there; with `isAdded` the selection is extended. */
  rangeTo(id: number, { isAdded = false }: { isAdded?: boolean } = {}): void {
    const to = this.position(id);
    if (to === null) return;
    const from = (this.#anchor === null ? null : this.position(this.#anchor)) ?? to;
    if (this.#anchor === null) this.#anchor = id;
    if (!isAdded) this.#selection.clear();
    this.#selection.addRange(this.order, { first: Math.min(from, to), last: Math.max(from, to) });
    this.#cursor = id;
    this.#selectionChanged();
  }

  selectAll(): void {
    this.#selection.addRange(this.order, { first: 0, last: this.count - 1 });
    this.#selectionChanged();
  }

  /** Selects exactly these entries. */
  select(ids: Iterable<number>): void {
    this.#selection.clear();
    for (const id of ids) this.#select(id, this.position(id) !== null);
    this.#selectionChanged();
  }

  clearSelection(): void {
    this.#selection.clear();
    this.#selectionChanged();
  }

  beginMarquee(mode: MarqueeMode): void {
    this.#selection.beginMarquee(mode);
  }
  updateMarquee(ranges: readonly PositionRange[]): void {
    this.#selection.updateMarquee(this.order, ranges);
    this.#selectionChanged();
  }
  endMarquee(): void {
    this.#selection.endMarquee();
  }

  /** Whether multi-select mode is on, in which a tap or click toggles entries. */
  get isSelecting(): boolean {
    return this.#isSelecting;
  }
  setSelecting(isSelecting: boolean): void {
    if (this.#isSelecting === isSelecting) return;
    this.#isSelecting = isSelecting;
    this.#selectionChanged();
  }

  /** The entry with the keyboard focus, or null before the first. */
  get cursor(): number | null {
    return this.#cursor;
  }
  get anchor(): number | null {
    return this.#anchor;
  }
  /** Moves the cursor without selecting. */
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
  /** The row on which a drag started; it must stay in the page until the drag ends. */
  get dragSource(): number | null {
    return this.#dragSource;
  }
  setDragSource(id: number | null): void {
    if (this.#dragSource === id) return;
    this.#dragSource = id;
    this.feed.emit();
  }

  /** Whether rows show their fraction of the folder. */
  get showsSizeFractions(): boolean {
    return this.sorting.by === 'size' && !this.isRanked;
  }

  /** Returns the fraction of an entry in the size of the shown ones, from 0 to 1; null if it is not shown or unknown. */
  sizeFraction(id: number): number | null {
    const bytes = this.isFolder(id) ? this.total(id)?.bytes : this.size(id);
    if (!this.showsSizeFractions || bytes === undefined || this.shownBytes === 0) return null;
    return Math.min(1, bytes / this.shownBytes);
  }

  /** The appearance of a row besides its fields, as one number that changes exactly when the row looks different. */
  rowState(id: number): number {
    const isDragged = this.#dragSource !== null && (id === this.#dragSource || this.isSelected(id));
    const bits =
      (this.isSelected(id) ? rowBits.selected : 0) |
      (id === this.#dropTarget ? rowBits.drop : 0) |
      (id === (this.#cursor ?? this.idAt(0)) ? rowBits.tabStop : 0) |
      (isDragged ? rowBits.dragged : 0) |
      (this.#arrived.has(id) ? rowBits.arrived : 0) |
      (this.showsSizeFractions ? rowBits.sizeFraction : 0);
    const pending = (this.#pending.get(id) ?? -1) + 1;
    return this.dataVersion * versionShift + pending * pendingShift + bits;
  }

  protected override onCleared(): void {
    this.#selection.clear();
    this.#pending.clear();
    this.#arrived.clear();
    this.#cursor = null;
    this.#anchor = null;
    this.#dropTarget = null;
    this.#dragSource = null;
    this.#isSelecting = false;
    this.#selectionVersion++;
  }

  /** Hidden entries are neither selected nor focused. */
  protected override onFiltered(): void {
    if (this.#selection.count > 0) {
      this.#selection.retain((id) => this.position(id) !== null);
      this.#selectionVersion++;
    }
    if (this.#cursor !== null && this.position(this.#cursor) === null) this.#cursor = null;
    if (this.#anchor !== null && this.position(this.#anchor) === null) this.#anchor = null;
  }

  protected override onGrown(capacity: number): void {
    this.#selection.reserve(capacity);
  }

  protected override isKept(id: number): boolean {
    return this.#pending.has(id);
  }

  /**
   * Moves the cursor from a removed entry to the next remaining one, else to the previous. Multi-select mode ends with
   * the last selected entry.
   */
  protected override onRemoved(ids: ReadonlySet<number>, { order, at }: OrderBefore): void {
    if (this.#cursor !== null && ids.has(this.#cursor)) {
      const formerPosition = Math.max(0, at(this.#cursor));
      const remains = (id: number): boolean => !ids.has(id);
      this.#cursor =
        order.subarray(formerPosition).find(remains) ??
        order.subarray(0, formerPosition).findLast(remains) ??
        null;
    }
    const hadSelection = this.#selection.count > 0;
    for (const id of ids) {
      this.#selection.set(id, false);
      this.#pending.delete(id);
      if (this.#dropTarget === id) this.#dropTarget = null;
      if (this.#dragSource === id) this.#dragSource = null;
    }
    if (hadSelection && this.#selection.count === 0) this.#isSelecting = false;
    if (this.#anchor !== null && ids.has(this.#anchor)) this.#anchor = this.#cursor;
    this.#selectionVersion++;
  }

  #select(id: number, isSelected: boolean): void {
    this.#selection.set(id, isSelected && !this.#pending.has(id));
  }

  #moveCursorAndAnchor(id: number): void {
    this.#cursor = id;
    this.#anchor = id;
  }

  #selectionChanged(): void {
    for (const id of this.#pending.keys()) this.#selection.set(id, false);
    this.#selectionVersion++;
    this.feed.emit();
  }
}
