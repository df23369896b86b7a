import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxRecents } from '@filestead/contract/values/limits';
import type { FastifyBaseLogger } from 'fastify';
import type { FileChangeListener, FileEvent } from '../access/file-events.ts';
import type { Clock } from '../clock.ts';
import type { KeyAt, MarkLimits, MarkRepository, NewMark, RecentAct } from '../database/mark-repository.ts';
import type { Storage } from '../storage/storage.ts';
import { placesTo, readingOnce } from './marked-places.ts';

/** Interval at which recent entries are stored (milliseconds). */
export const recentsIntervalMs = 5_000;

/** Recent entries have a limit of their own. */
const unlimited: MarkLimits = { favorites: Infinity, tags: Infinity, tagsPerEntry: Infinity };

const actOf: Partial<Record<FileEvent, RecentAct>> = { save: 'saved', upload: 'uploaded' };

/** The dependencies of {@link Recents}. */
export interface RecentsParts {
  readonly repository: MarkRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly keyAt: KeyAt;
  /** Whether a user exists. */
  readonly hasUser: (userId: number) => Promise<boolean>;
  /** Called with the marks that were stored. */
  readonly onStored: (marks: readonly NewMark[]) => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

interface Pending {
  readonly act: RecentAct;
  readonly at: number;
}

/** Records what users opened, saved and uploaded, in memory at first: a request never waits for it. */
export class Recents {
  readonly #parts: RecentsParts;
  /** By user and path in the served root, the latest last. */
  #pending = new Map<number, Map<VirtualPath, Pending>>();
  #writing: Promise<void> = Promise.resolve();
  readonly #stop: () => void;

  constructor(parts: RecentsParts) {
    this.#parts = parts;
    this.#stop = parts.clock.every(recentsIntervalMs, () => void this.flush());
  }

  /** Records an act of a user on the entry at `place` of the served root. */
  record(userId: number, place: VirtualPath, act: RecentAct): void {
    const entries = this.#pending.get(userId) ?? new Map<VirtualPath, Pending>();
    this.#pending.set(userId, entries);
    entries.delete(place);
    entries.set(place, { act, at: this.#parts.clock.now() });
    const [oldest] = entries.keys();
    if (entries.size > maxRecents && oldest !== undefined) entries.delete(oldest);
  }

  /** Discards the acts of a user that are not stored yet. */
  drop(userId: number): void {
    this.#pending.delete(userId);
  }

  /** Stores what was recorded. Errors are logged, without names. */
  flush(): Promise<void> {
    if (this.#pending.size === 0) return this.#writing;
    const pending = this.#pending;
    this.#pending = new Map();
    this.#writing = this.#storeAfter(this.#writing, pending);
    return this.#writing;
  }

  /** Stores what was recorded, and stops. */
  async close(): Promise<void> {
    this.#stop();
    await this.flush();
  }

  /** Records saved and uploaded files. */
  get listener(): FileChangeListener {
    return {
      // The paths that were recorded are those before the change.
      before: ({ event }) => (event === 'rename' && this.#pending.size > 0 ? this.flush() : undefined),
      after: async ({ event, userContext, path }) => {
        const act = actOf[event];
        if (act === undefined) return;
        const storage = await userContext.storage();
        this.record(userContext.user.id, storage.toPlace(path), act);
      },
    };
  }

  async #storeAfter(
    earlier: Promise<void>,
    pending: ReadonlyMap<number, ReadonlyMap<VirtualPath, Pending>>,
  ): Promise<void> {
    await earlier;
    for (const [userId, entries] of pending) {
      try {
        await this.#store(userId, entries);
      } catch (error) {
        this.#parts.log.error({ err: error }, 'recent entries could not be stored');
      }
    }
  }

  async #store(userId: number, entries: ReadonlyMap<VirtualPath, Pending>): Promise<void> {
    const { repository, storage, keyAt, hasUser, onStored } = this.#parts;
    if (!(await hasUser(userId)) || !(await repository.recordsRecents(userId))) return;
    const marks: NewMark[] = [];
    const reading = readingOnce(storage);
    for (const [path, { act, at }] of entries) {
      const places = await placesTo(reading, path);
      if (places !== null) marks.push({ places, kind: 'recent', tag: '', act, at });
    }
    await repository.add(userId, marks, keyAt, unlimited);
    await repository.trimRecents(userId, maxRecents);
    await onStored(marks);
  }
}
