import type { Visibility } from '../access/rules/visible-part.ts';
import type { Columns } from './columns/columns.ts';
import { linkKind } from './columns/entry-kinds.ts';
import { addTotals, noTotals, type Totals } from './columns/folder-columns.ts';

/** The states of a folder: not computed yet, denied, shown, or shown with everything below it except hidden names. */
const unknown = 0;
const denied = 1;
const shown = 2;
const shownWhole = 3;

/** A long count checks the time after each of this number of entries. */
const entriesPerCheck = 1024;

/** Decides which entries below a folder of the catalogue a user may list. The states of folders are cached in the object. */
export class EntryVisibility {
  readonly #columns: Columns;
  readonly #top: number;
  readonly #visibility: Visibility;
  readonly #states: Uint8Array;
  readonly #paths = new Map<number, string>();

  constructor(columns: Columns, top: number, visibility: Visibility) {
    this.#columns = columns;
    this.#top = top;
    this.#visibility = visibility;
    this.#states = new Uint8Array(columns.folders.count);
  }

  /** Whether everything is shown, so that {@link EntryVisibility.shows} need not be called. */
  get showsEverything(): boolean {
    return this.#visibility.allowsEverything && !this.#visibility.hidesDotfiles;
  }

  /** Whether a listing of the folders from the top down to the entry, which is below the top, would show it. */
  shows(entry: number): boolean {
    if (this.showsEverything) return true;
    const columns = this.#columns;
    if (columns.isFolder(entry)) return this.#stateOf(entry) !== denied;
    if (this.#visibility.hidesDotfiles && columns.isDot(entry)) return false;
    const parent = columns.parentOf(entry);
    const state = this.#stateOf(parent);
    if (state !== shown) return state === shownWhole;
    return this.#visibility.allows(this.#below(parent, entry));
  }

  #below(parent: number, entry: number): string {
    const folder = this.#pathOf(parent);
    return folder === '' ? this.#columns.nameOf(entry) : `${folder}/${this.#columns.nameOf(entry)}`;
  }

  #pathOf(folder: number): string {
    if (folder === this.#top) return '';
    let path = this.#paths.get(folder);
    if (path === undefined) {
      path = this.#below(this.#columns.parentOf(folder), folder);
      this.#paths.set(folder, path);
    }
    return path;
  }

  /** The state of a folder at or below the top. */
  #stateOf(folder: number): number {
    const columns = this.#columns;
    // Up from the folder to the first one whose state is known, then down again.
    const pending: number[] = [];
    let at = folder;
    while (at !== this.#top && this.#states[columns.slotOf(at)] === unknown) {
      pending.push(at);
      at = columns.parentOf(at);
    }
    let state = this.#states[columns.slotOf(at)] ?? unknown;
    if (state === unknown) {
      state = this.#visibility.mayDenyBelow('') ? shown : shownWhole;
      this.#states[columns.slotOf(at)] = state;
    }
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      state = this.#stateBelow(state, next);
      this.#states[columns.slotOf(next)] = state;
    }
    return state;
  }

  /** The state of a folder whose parent has the state `above`. */
  #stateBelow(above: number, folder: number): number {
    if (above === denied || (this.#visibility.hidesDotfiles && this.#columns.isDot(folder))) return denied;
    if (above === shownWhole) return shownWhole;
    const path = this.#pathOf(folder);
    if (!this.#visibility.allows(path)) return denied;
    return this.#visibility.mayDenyBelow(path) ? shown : shownWhole;
  }

  /**
   * Returns the totals of all shown entries below a shown folder. Where rules cannot deny anything, the stored totals are used.
   * Returns null when `isLate` returns true before all entries are counted.
   */
  totals(folder: number, isLate: () => boolean): Totals | null {
    const columns = this.#columns;
    const total = noTotals();
    const pending = [folder];
    let steps = 0;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.#stateOf(next) === shownWhole) {
        const { all, plain } = columns.folders;
        addTotals(total, (this.#visibility.hidesDotfiles ? plain : all).at(columns.slotOf(next)));
        continue;
      }
      for (const child of columns.children(next)) {
        if (++steps % entriesPerCheck === 0 && isLate()) return null;
        if (!this.shows(child)) continue;
        if (columns.isFolder(child)) {
          total.folders += 1;
          pending.push(child);
        } else if (columns.kindOf(child) !== linkKind) {
          total.files += 1;
          total.bytes += columns.sizeOf(child);
          total.blocks += columns.blocksOf(child);
        }
      }
    }
    return total;
  }
}
