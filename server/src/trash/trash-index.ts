import {
  isAtOrBelow,
  joinPaths,
  relativeTo,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileChangeListener, Notified } from '../access/file-events.ts';
import type { ShareRepository } from '../database/database.ts';
import type { PlacedKept, TrashRepository } from '../database/trash-repository.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { isMissing } from '../access/keeping/is-missing.ts';
import { nameKeyFor, storedOf } from '../access/keeping/kept-entry.ts';

/** The maximum number of entries that wait to be stored, and the maximum time for which they wait (milliseconds). */
const maxPending = 500;
const pendingMs = 50;
/** The maximum number of ids in a line of the log. */
const loggedIds = 10;

/** The dependencies of {@link TrashIndex}. */
export interface TrashIndexParts {
  readonly repository: TrashRepository;
  readonly shares: ShareRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  /** Runs before entries are stored: a start does not repeat for them what this does. */
  readonly beforeStored?: () => Promise<void>;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
  readonly log: Pick<FastifyBaseLogger, 'error'> & Partial<Pick<FastifyBaseLogger, 'debug'>>;
}

/**
 * Keeps the index of deleted entries in sync with changes of files. Errors of the index are logged and never fail a change
 * that is complete on the disk: what is missing in the index is read from the stores at the next start.
 */
export class TrashIndex {
  readonly #parts: TrashIndexParts;
  readonly #onRecorded: () => void;
  #lastMove: number | null = null;
  /** The number of restorations of each entry that are running. */
  readonly #restoring = new Map<string, number>();
  /** Entries that wait to be stored. */
  #pending: KeptEntry[] = [];
  #flushing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  /** @param onRecorded called after entries were added */
  constructor(parts: TrashIndexParts, onRecorded: () => void = () => undefined) {
    this.#parts = parts;
    this.#onRecorded = onRecorded;
  }

  /** Compares names as the file system at `path` does. */
  #keyAt(path: VirtualPath): (name: string) => string {
    return nameKeyFor(this.#parts.storage.ignoresCaseAt(path));
  }

  /** Runs `work`. Logs an error as `failure` and returns undefined. */
  async #attempt<T>(failure: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#parts.log.error({ err: error }, `${failure}; the next start reads it from the disk`);
      return undefined;
    }
  }

  /** Whether an entry is being restored, so that it must not be purged. */
  isRestoring(id: string): boolean {
    return this.#restoring.has(id);
  }

  /** Runs the restoration of an entry. {@link isRestoring} is true meanwhile. */
  async whileRestoring<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#restoring.set(id, (this.#restoring.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#restoring.get(id) ?? 1) - 1;
      if (others === 0) this.#restoring.delete(id);
      else this.#restoring.set(id, others);
    }
  }

  /**
   * Adds entries that were deleted or replaced. With `isOneOfMany`, they are stored together with those of the next calls, at the
   * latest by {@link flush}.
   */
  async record(entries: readonly KeptEntry[], isOneOfMany = false): Promise<void> {
    this.#pending.push(...entries);
    if (!isOneOfMany || this.#pending.length >= maxPending) return this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), pendingMs);
    return undefined;
  }

  /** Whether an entry is no longer in its store, which is in place. */
  isMissing(kept: PlacedKept): Promise<boolean> {
    return isMissing(this.#parts.storage, kept);
  }

  /** Stores all entries that were recorded so far. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // Another call may be storing entries that precede the current ones.
    this.#flushing = this.#flushing.then(() => this.#storePending());
    await this.#flushing;
  }

  async #storePending(): Promise<void> {
    const entries = this.#pending;
    if (entries.length === 0) return;
    this.#pending = [];
    await this.#attempt('the shares of deleted entries were not ended', async () =>
      this.#parts.beforeStored?.(),
    );
    await this.#attempt('a deletion is not in the index of the trash', async () => {
      for (let first = 0; first < entries.length;) {
        const ignoresCase = this.#ignoresCaseAt(entries[first]);
        let end = first + 1;
        while (end < entries.length && this.#ignoresCaseAt(entries[end]) === ignoresCase) end += 1;
        await this.#parts.repository.add(entries.slice(first, end).map(storedOf), nameKeyFor(ignoresCase));
        first = end;
      }
      const items = entries.slice(0, loggedIds).map(({ id }) => id);
      this.#parts.log.debug?.({ count: entries.length, items }, 'entries were moved to a store');
      this.#onRecorded();
    });
  }

  #ignoresCaseAt(entry: KeptEntry | undefined): boolean {
    return entry !== undefined && this.#parts.storage.ignoresCaseAt(entry.place);
  }

  /**
   * Removes an entry that was restored to `to` in the served root, and resumes the shares that `isResumed` selects. Returns those
   * that are active again.
   */
  async restored(
    kept: PlacedKept,
    to: VirtualPath,
    isResumed: (share: { userId: number }) => boolean,
  ): Promise<readonly { readonly hash: string; readonly userId: number }[]> {
    await this.flush();
    const resumed = await this.#attempt('a restoration is not in the index of the trash', async () => {
      const { repository, shares } = this.#parts;
      const active: { hash: string; userId: number }[] = [];
      for (const share of await shares.suspended(kept.id)) {
        if (!isResumed(share) || !isAtOrBelow(share.servedPath, kept.originalPath)) continue;
        const path = joinPaths(to, relativeTo(share.servedPath, kept.originalPath));
        if (path !== share.scope && isAtOrBelow(path, share.scope)) {
          await shares.resume(share.hash, relativeTo(path, share.scope));
          active.push({ hash: share.hash, userId: share.userId });
        }
      }
      await shares.removeSuspended([kept.id]);
      await repository.restored(kept.id, to, this.#keyAt(to));
      return active;
    });
    return resumed ?? [];
  }

  /** Follows the move of a file or folder, which is recorded in the stores above it if it contains entries. */
  async #follow(from: VirtualPath, to: VirtualPath): Promise<void> {
    const { repository, storage, now } = this.#parts;
    await this.flush();
    if (!(await repository.hasPlacesAt(from, this.#keyAt(to)))) return;
    this.#lastMove ??= await repository.lastMove();
    const number = Math.max(now(), this.#lastMove + 1);
    this.#lastMove = number;
    const stores = await storage.record({ kind: 'move', from, to, number });
    await repository.movePlaces(from, to, this.#keyAt(to), { stores, number });
    const all = await storage.stores({ isBrief: true });
    if (all.some(({ store }) => isAtOrBelow(store, to))) await repository.moveStores(from, to);
  }

  /** Follows deletions and moves of files by any feature. */
  get listener(): FileChangeListener {
    const recordKept = ({ kept = [], isOneOfMany = false }: FileChange): Notified =>
      kept.length > 0 ? this.record(kept, isOneOfMany) : undefined;
    const recordMove = async ({ path, userContext }: FileChange, destination: VirtualPath): Promise<void> =>
      this.#attempt('a move is not in the index of the trash', async () => {
        const storage = await userContext.storage();
        const from = storage.toPlace(path);
        const to = storage.toPlace(destination);
        if (from === rootPath || to === rootPath || from === to) return;
        await this.#follow(from, to);
      });
    return {
      after(change) {
        const recorded = recordKept(change);
        const { event, destination } = change;
        if (event !== 'rename' || destination === null) return recorded;
        const move = (): Promise<void> => recordMove(change, destination);
        return recorded === undefined ? move() : recorded.then(move);
      },
      aborted: recordKept,
    };
  }
}
