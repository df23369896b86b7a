import {
  isAtOrBelow,
  joinPaths,
  relativeTo,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileChangeListener } from '../access/file-events.ts';
import type { ShareRepository } from '../database/database.ts';
import type { PlacedKept, TrashRepository } from '../database/trash-repository.ts';
import type { KeptEntry } from '../storage/kept/kept-entries.ts';
import type { Storage } from '../storage/storage.ts';
import { nameKeyFor, storedOf } from '../access/keeping/kept-entry.ts';

/** The dependencies of {@link TrashIndex}. */
export interface TrashIndexParts {
  readonly repository: TrashRepository;
  readonly shares: ShareRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Keeps the index of deleted entries in sync with changes of files. Errors of the index are logged and never fail a change
 * that is complete on the disk: what is missing in the index is read from the stores at the next start.
 */
export class TrashIndex {
  readonly #parts: TrashIndexParts;
  readonly #onRecorded: () => void;
  #lastMove: number | null = null;

  /** @param onRecorded called after entries were added */
  constructor(parts: TrashIndexParts, onRecorded: () => void = () => undefined) {
    this.#parts = parts;
    this.#onRecorded = onRecorded;
  }

  /** Compares names as the file system at `path` does. */
  #keyAt(path: VirtualPath): (name: string) => string {
    return nameKeyFor(this.#parts.storage.ignoresCaseAt(path));
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.error({ err: error }, `${what}; the next start reads it from the disk`);
    }
  }

  /** Adds entries that were deleted. */
  async record(entries: readonly KeptEntry[]): Promise<void> {
    await this.#attempt('a deletion is not in the index of the trash', async () => {
      for (const entry of entries) {
        await this.#parts.repository.add([storedOf(entry)], this.#keyAt(entry.place));
      }
      this.#onRecorded();
    });
  }

  /** Removes an entry that was restored to `to` in the served root, and resumes the shares that `isResumed` selects. */
  async restored(
    kept: PlacedKept,
    to: VirtualPath,
    isResumed: (share: { userId: number }) => boolean,
  ): Promise<void> {
    await this.#attempt('a restoration is not in the index of the trash', async () => {
      const { repository, shares } = this.#parts;
      for (const share of await shares.suspended(kept.id)) {
        if (!isResumed(share) || !isAtOrBelow(share.servedPath, kept.originalPath)) continue;
        const path = joinPaths(to, relativeTo(share.servedPath, kept.originalPath));
        if (path !== share.scope && isAtOrBelow(path, share.scope)) {
          await shares.resume(share.hash, relativeTo(path, share.scope));
        }
      }
      await shares.removeSuspended([kept.id]);
      await repository.restored(kept.id, to, this.#keyAt(to));
    });
  }

  /** Follows the move of a file or folder, which is recorded in the stores above it if it contains entries. */
  async #follow(from: VirtualPath, to: VirtualPath): Promise<void> {
    const { repository, storage, now } = this.#parts;
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
    const recordKept = async ({ kept = [] }: FileChange): Promise<void> => {
      if (kept.length > 0) await this.record(kept);
    };
    return {
      after: async (change) => {
        await recordKept(change);
        const { event, path, destination, userContext } = change;
        if (event !== 'rename' || destination === null) return;
        await this.#attempt('a move is not in the index of the trash', async () => {
          const storage = await userContext.storage();
          const from = storage.toPlace(path);
          const to = storage.toPlace(destination);
          if (from === rootPath || to === rootPath || from === to) return;
          await this.#follow(from, to);
        });
      },
      aborted: recordKept,
    };
  }
}
