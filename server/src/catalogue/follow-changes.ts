import {
  childOf,
  nameOf,
  parentOf,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { UserContext } from '../access/user-context.ts';
import type { Clock } from '../clock.ts';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import type { Catalogue } from './catalogue.ts';
import { realPlaceOf } from './resolve-target.ts';

/**
 * Changes of one folder are collected for this time (milliseconds), so that many uploads cost little. The time doubles while the folder
 * goes on changing: finding the names in the catalogue takes time in proportion to the entries of the folder, however few have changed.
 */
const collectMs = 50;
const maxCollectMs = 1000;

/** Returns the place of a user’s folder, or of the nearest existing folder above it. */
async function placeOfFolder(storage: NarrowedStorage, folder: VirtualPath): Promise<VirtualPath> {
  return (await nearestPlace(storage, folder)).place;
}

/** {@link placeOfFolder}, with whether the folder itself exists. */
async function nearestPlace(
  storage: NarrowedStorage,
  folder: VirtualPath,
): Promise<{ place: VirtualPath; exists: boolean }> {
  for (let path = folder; ; path = parentOf(path)) {
    try {
      return { place: await realPlaceOf(storage, path), exists: path === folder };
    } catch (error) {
      if (path === rootPath) throw error;
    }
  }
}

/** Collects changed entries by user and folder, and notifies the catalogue of them together. */
class NameCollector {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #collected = new Map<string, Set<string>>();
  /** The times for which the next changes of folders that were changed lately are collected (milliseconds). */
  readonly #delaysMs = new Map<string, number>();

  constructor(catalogue: Catalogue, clock: Clock) {
    this.#catalogue = catalogue;
    this.#clock = clock;
  }

  /** Adds an entry. The place of its folder is looked up while the user’s storage is open. */
  async add({ user, storage }: UserContext, path: VirtualPath): Promise<void> {
    const folder = parentOf(path);
    const key = `${user.id} ${folder}`;
    const present = this.#collected.get(key);
    if (present !== undefined) {
      present.add(nameOf(path));
      return;
    }
    const names = new Set([nameOf(path)]);
    const delayMs = this.#delaysMs.get(key) ?? collectMs;
    this.#collected.set(key, names);
    const done = this.#catalogue.expectChange();
    try {
      const { place, exists } = await nearestPlace(await storage(), folder);
      this.#clock.after(delayMs, () => {
        this.#collected.delete(key);
        this.#lengthen(key, delayMs);
        if (exists) this.#catalogue.changedNames(place, [...names]);
        else this.#catalogue.changed([place]);
        done();
      });
    } catch (error) {
      this.#collected.delete(key);
      done();
      throw error;
    }
  }

  /** Doubles the time for which the next changes are collected, if they follow within that time. */
  #lengthen(key: string, previousMs: number): void {
    const delayMs = Math.min(maxCollectMs, 2 * previousMs);
    this.#delaysMs.set(key, delayMs);
    this.#clock.after(delayMs, () => {
      if (!this.#collected.has(key)) this.#delaysMs.delete(key);
    });
  }
}

/** Notifies the catalogue of one change. */
async function notifyOfChange(
  catalogue: Catalogue,
  collector: NameCollector,
  { event, userContext, path, destination }: FileChange,
  isComplete: boolean,
): Promise<void> {
  if (event === 'purge') return;
  if (destination === null) {
    await collector.add(userContext, path);
    return;
  }
  const storage = await userContext.storage();
  const source = await placeOfFolder(storage, parentOf(path));
  const target = await placeOfFolder(storage, parentOf(destination));
  if (event === 'rename' && isComplete) {
    catalogue.moved(childOf(source, nameOf(path)), childOf(target, nameOf(destination)));
    return;
  }
  catalogue.changed([source, target]);
  // The folder may have been merged into an existing one, at any depth.
  catalogue.changed([childOf(target, nameOf(destination))], { isDeep: true });
}

/** The dependencies of {@link followChanges}. */
export interface FollowChangesParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/** Notifies the catalogue of all changes that this server makes. */
export function followChanges(events: FileEvents, { catalogue, clock, onFailure }: FollowChangesParts): void {
  const collector = new NameCollector(catalogue, clock);
  const notify = async (change: FileChange, isComplete: boolean): Promise<void> => {
    // A failure here does not fail the change, which has succeeded; the next sweep repairs the catalogue.
    await notifyOfChange(catalogue, collector, change, isComplete).catch(onFailure);
  };
  events.subscribe({
    after: (change) => notify(change, true),
    aborted: (change) => notify(change, false),
  });
}
