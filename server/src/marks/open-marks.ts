import { rootPath, type VirtualPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import type { MarksChange } from '@filestead/contract/endpoints/marks';
import type { ErrorCode } from '@filestead/contract/errors';
import { maxFavorites, maxTags, maxTagsPerEntry } from '@filestead/contract/values/limits';
import type { FastifyBaseLogger } from 'fastify';
import type { FileEvents } from '../access/file-events.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { EntryMarks, KeyAt, MarkRepository, NewMark } from '../database/mark-repository.ts';
import type { NameKey } from '../database/trash-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { NarrowedStorage } from '../storage/views/narrow-to.ts';
import { RenameFinder } from './find-renamed.ts';
import { entryAt, placesTo } from './marked-places.ts';
import { Recents } from './recents.ts';
import { goneMarkMs } from './visible-marks.ts';

/** Limits of the marks of one user. */
const limits = { favorites: maxFavorites, tags: maxTags, tagsPerEntry: maxTagsPerEntry };
/** Interval of the removal of marks of missing entries, and the number that is examined at once. */
const sweepMs = 60 * 60 * 1000;
const sweptAtOnce = 1_000;

/** The dependencies of {@link openMarks}. */
export interface MarksParts {
  readonly repository: MarkRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly userContexts: Pick<UserContexts, 'find'>;
  readonly events: FileEvents;
  /** Compares names as a file system does that ignores case, or does not. */
  readonly nameKeyFor: (ignoresCase: boolean) => NameKey;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Called with the inodes of all entries that have to be found again when other programs rename them. */
  readonly onInodes?: (inodes: ReadonlySet<string>) => void;
}

/** An entry whose marks could not be changed. */
export interface MarkFailure {
  readonly path: string;
  readonly code: ErrorCode;
}

/** A change of the marks of entries. The tags are valid. */
export type ParsedMarksChange = Pick<MarksChange, 'paths' | 'favorite'> & {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
};

/** Favorites, tags and recent entries of all users. */
export interface Marks {
  readonly recents: Recents;
  readonly finder: RenameFinder;
  readonly keyAt: KeyAt;
  /** Changes the marks of entries, and returns those that could not be marked. Throws `too_many_marks`. */
  change(userContext: UserContext, change: ParsedMarksChange): Promise<MarkFailure[]>;
  /** Returns favorites and tags of a user by the place of the entry in the served folder, without deleted entries. */
  byPlace(userId: number): Promise<ReadonlyMap<VirtualPath, EntryMarks>>;
  /**
   * Returns the entries that a user opened, saved or uploaded recently: their paths from the root without a leading slash, and the
   * times in Unix seconds.
   */
  recentPaths(userId: number): Promise<{ readonly path: string; readonly at: number }[]>;
  /** Records that a user has opened entries. Those that the user may not list are left out. */
  recordOpened(userContext: UserContext, paths: readonly string[]): Promise<void>;
  /** Puts the favorites of a user in the order of `paths`, before the others. */
  order(userContext: UserContext, paths: readonly string[]): Promise<void>;
  /** Loads the marked entries that have to be found again. */
  start(): void;
  /** Stores what is waiting, and stops. */
  close(): Promise<void>;
}

/** The code of the error that prevents marking an entry; null if the user may list it. */
async function refusalOf(storage: NarrowedStorage, path: VirtualPath): Promise<ErrorCode | null> {
  if (path === rootPath) return 'root_is_protected';
  try {
    if ((await storage.stat(path)) === null) return 'not_found';
    return storage.isShown(path) ? null : 'forbidden';
  } catch (error) {
    if (isAppError(error)) return error.code;
    throw error;
  }
}

/** Opens the marks, and follows the changes of files. Has to be called after the trash has subscribed, which moves places. */
export function openMarks(parts: MarksParts): Marks {
  const { repository, storage, userContexts, events, nameKeyFor, clock, log, onInodes } = parts;
  const keyAt: KeyAt = (path) => nameKeyFor(storage.ignoresCaseAt(path));
  const finder = new RenameFinder({
    repository,
    storage,
    keyAt,
    clock,
    log,
    ...(onInodes && { onInodes }),
  });
  const remember = (marks: readonly NewMark[]): Promise<void> =>
    finder.remember(marks.flatMap(({ places }) => places));
  const recents = new Recents({
    repository,
    storage,
    keyAt,
    hasUser: async (userId) => (await userContexts.find(userId)) !== null,
    onStored: remember,
    clock,
    log,
  });
  events.subscribe(recents.listener);

  /** Removes the marks of entries that have been missing for too long, unless they are there again. */
  const forgetGone = async (): Promise<void> => {
    const gone = await repository.goneBefore(clock.now() - goneMarkMs, sweptAtOnce);
    const back: number[] = [];
    const lost: number[] = [];
    for (const { place, path, keptId } of gone) {
      const isThere = keptId === null && (await entryAt(storage, path)) !== null;
      (isThere ? back : lost).push(place);
    }
    await repository.setGone(back, null);
    await repository.forget(lost);
  };
  const stopSweeps = clock.every(sweepMs, () => {
    forgetGone().catch((error: unknown) =>
      log.error({ err: error }, 'marks of missing entries could not be removed'),
    );
  });

  const toPlaces = async (
    { storage: openStorage }: UserContext,
    paths: readonly string[],
  ): Promise<VirtualPath[]> => {
    const own = await openStorage();
    return paths.map((path) => own.toPlace(virtualPath(path)));
  };

  return {
    recents,
    finder,
    keyAt,
    async change(userContext, { paths, favorite, addTags = [], removeTags = [] }) {
      const own = await userContext.storage();
      const { id } = userContext.user;
      const unique = [...new Set(paths.map(virtualPath))];
      const removed = unique.map((path) => own.toPlace(path));
      const failures: MarkFailure[] = [];
      const marks: NewMark[] = [];
      if (favorite === true || addTags.length > 0) {
        const at = clock.now();
        for (const path of unique) {
          const code = await refusalOf(own, path);
          const places = code === null ? await placesTo(storage, own.toPlace(path)) : null;
          if (places === null) {
            failures.push({ path, code: code ?? 'not_found' });
            continue;
          }
          if (favorite === true) marks.push({ places, kind: 'favorite', tag: '', act: null, at });
          for (const tag of addTags) marks.push({ places, kind: 'tag', tag, act: null, at });
        }
      }
      if (marks.length > 0 && !(await repository.add(id, marks, keyAt, limits)))
        throw new AppError('too_many_marks');
      if (favorite === false) await repository.remove(id, removed, { kind: 'favorite', tag: '' }, keyAt);
      for (const tag of removeTags) await repository.remove(id, removed, { kind: 'tag', tag }, keyAt);
      await remember(marks);
      return failures;
    },
    async byPlace(userId) {
      const byPlace = new Map<VirtualPath, { isFavorite: boolean; tags: string[] }>();
      for (const kind of ['favorite', 'tag'] as const) {
        for (const { path, keptId, tag } of await repository.list(userId, kind)) {
          if (keptId !== null) continue;
          const marked = byPlace.get(path) ?? { isFavorite: false, tags: [] };
          if (kind === 'favorite') marked.isFavorite = true;
          // The latest comes first.
          else marked.tags.unshift(tag);
          byPlace.set(path, marked);
        }
      }
      return byPlace;
    },
    async recentPaths(userId) {
      const recent = await repository.list(userId, 'recent');
      return recent.flatMap(({ path, keptId, at }) =>
        keptId === null ? [{ path: path.slice(1), at: Math.floor(at / 1000) }] : [],
      );
    },
    async recordOpened(userContext, paths) {
      const own = await userContext.storage();
      for (const path of paths.map(virtualPath)) {
        if ((await refusalOf(own, path)) === null)
          recents.record(userContext.user.id, own.toPlace(path), 'opened');
      }
    },
    async order(userContext, paths) {
      await repository.order(userContext.user.id, await toPlaces(userContext, paths), keyAt);
    },
    start() {
      finder.start().catch((error: unknown) => log.error({ err: error }, 'marked entries could not be read'));
    },
    async close() {
      stopSweeps();
      await recents.close();
      await finder.close();
    },
  };
}
