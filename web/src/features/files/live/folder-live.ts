import type { FolderChanges, LiveSource } from '@filestead/contract/endpoints/live';
import type { EntryType, ListingRow } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { listingColumns } from '@filestead/contract/values/listing-columns';
import { followFolder } from '../../../api/live/live-client.ts';
import type { EntryFields } from '../listing/model/entry-columns.ts';
import type { ListingModel } from '../listing/model/listing-model.ts';
import { isUserBusy, trackPointers } from './user-activity.ts';

/** The interval between two attempts to show postponed changes, in ms. */
const waitMs = 200;
/** The minimum time between two changes of an order that depends on times or sizes, in ms. */
const settleMs = 2000;
/** The minimum time between two changes while this window uploads, whose files are most of the changes, in ms. */
const uploadingMs = 500;
/** The time for which new rows are marked, in ms. */
const arrivalMs = 4000;
/** The duration of the animation of rows to their new positions, in ms. */
const motionMs = 180;
/** The maximum number of new rows that are animated. */
const maxMovingRows = 50;

/** The uploads of this window to a folder. */
export interface OwnUploads {
  /** Whether something is being sent. */
  readonly isBusy: boolean;
  /** Whether one of the listed uploads, finished or not, has this name. */
  has(name: string): boolean;
}

/** The folder that follows changes. */
export interface LiveTarget {
  readonly path: VirtualPath;
  readonly model: ListingModel;
  /** Whether the folder is being listed, also before the first row arrives. The rows may be older than the changes of that time. */
  readonly isLoading: boolean;
  /** Null before the first upload. */
  readonly ownUploads: OwnUploads | null;
  reload(): Promise<unknown>;
  /** Called when the folder no longer exists for the user. */
  onMissing(): void;
  /** Called when the server starts to detect changes in another way. */
  onSource(source: LiveSource): void;
}

/** Returns the fields of an entry from a row of the server. */
function entryOf(
  [name, size, modifiedMs, type, isSymlink]: ListingRow,
  types: readonly EntryType[],
): EntryFields {
  const entryType = types[type] ?? 'blob';
  return { name, size, modifiedMs, type: entryType, isFolder: entryType === '', isSymlink: isSymlink === 1 };
}

/**
 * Shows the changes of a folder as they arrive, in one step each. They are postponed while the user names or drags an entry,
 * presses a pointer or has a menu open, and while the folder is being loaded, whose rows may be older.
 */
export class FolderLive {
  readonly #target: LiveTarget;
  readonly #stopFollowing: () => void;
  #postponed: FolderChanges[] = [];
  #appliedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #markTimers = new Set<ReturnType<typeof setTimeout>>();

  constructor(target: LiveTarget, version: string, followChanges = followFolder) {
    this.#target = target;
    trackPointers();
    this.#stopFollowing = followChanges(target.path, version, {
      onChanges: (changes) => {
        this.#postponed.push(changes);
        this.#applyWhenPossible();
      },
      onSource: (source) => target.onSource(source),
    });
  }

  stop(): void {
    this.#stopFollowing();
    clearTimeout(this.#timer);
    for (const timer of this.#markTimers) clearTimeout(timer);
    this.#postponed = [];
  }

  #applyWhenPossible(): void {
    clearTimeout(this.#timer);
    if (this.#postponed.length === 0) return;
    const remainingMs = this.#remainingMs();
    if (remainingMs > 0) {
      this.#timer = setTimeout(() => this.#applyWhenPossible(), remainingMs);
      return;
    }
    this.#appliedAt = performance.now();
    const all = this.#postponed;
    this.#postponed = [];
    // A listing that begins now contains everything that was reported before.
    const relisting = all.findLast(({ again }) => again === true);
    if (relisting === undefined) this.#apply(all);
    // A request for the folder would be an error in the console of the browser.
    else if (relisting.code === 'not_found') this.#target.onMissing();
    else void this.#target.reload();
  }

  /** Returns the time after which to try again; 0 if the changes can be shown now. */
  #remainingMs(): number {
    const { model, isLoading, ownUploads } = this.#target;
    if (isLoading || model.phase !== 'ready' || model.dragSource !== null || isUserBusy()) return waitMs;
    const movesRows = listingColumns[model.sorting.by].sortNumber !== null;
    const pauseMs = movesRows ? settleMs : ownUploads?.isBusy === true ? uploadingMs : 0;
    return Math.max(0, this.#appliedAt + pauseMs - performance.now());
  }

  #apply(all: readonly FolderChanges[]): void {
    const { model } = this.#target;
    const arrived: number[] = [];
    const lost: string[] = [];
    model.batch(() => {
      for (const changes of all) this.#applyOne(changes, arrived, lost);
      // A change may arrive before the response of the upload that made it.
      const isForeign = (id: number): boolean => this.#target.ownUploads?.has(model.name(id)) !== true;
      const foreign = arrived.filter((id) => model.position(id) !== null && isForeign(id));
      this.#markArrivals(foreign);
      model.queueForeignChanges({ arrived: foreign.map((id) => model.name(id)), lost });
    });
  }

  #applyOne(
    { changed = [], removed = [], moved = [] }: FolderChanges,
    arrived: number[],
    lost: string[],
  ): void {
    const { model } = this.#target;
    const types = model.header?.types ?? [];
    const entries = new Map(changed.map((row) => [row[0], entryOf(row, types)]));
    for (const [from, to] of moved) {
      const id = model.find(from);
      const entry = entries.get(to);
      if (id === null || entry === undefined || model.find(to) !== null) continue;
      const known = model.item(id);
      const isSame =
        known.size === entry.size &&
        known.modifiedMs === entry.modifiedMs &&
        known.isFolder === entry.isFolder;
      if (isSame) model.rename(id, to);
    }
    const gone = removed
      .map((name) => model.find(name))
      .filter((id) => id !== null)
      .filter((id) => model.pendingPercent(id) === null);
    for (const id of gone) if (model.isSelected(id)) lost.push(model.name(id));
    model.remove(gone);
    for (const entry of entries.values()) {
      const id = model.find(entry.name);
      if (id === null) arrived.push(model.insert(entry));
      // The row of an upload shows its progress until it is complete.
      else if (model.pendingPercent(id) === null && !isEqual(model.item(id), entry)) model.insert(entry);
    }
  }

  /** Marks new rows for a while and animates the listing, unless there are many. */
  #markArrivals(ids: readonly number[]): void {
    const { model } = this.#target;
    if (ids.length === 0 || ids.length > maxMovingRows) return;
    model.markArrived(ids, true);
    model.setMoving(true);
    this.#after(motionMs, () => model.setMoving(false));
    this.#after(arrivalMs, () => model.markArrived(ids, false));
  }

  #after(delayMs: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#markTimers.delete(timer);
      work();
    }, delayMs);
    this.#markTimers.add(timer);
  }
}

const isEqual = (a: EntryFields, b: EntryFields): boolean =>
  a.size === b.size &&
  a.modifiedMs === b.modifiedMs &&
  a.type === b.type &&
  a.isFolder === b.isFolder &&
  a.isSymlink === b.isSymlink;
