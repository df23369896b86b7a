import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import { nameKeyFor } from '../access/keeping/kept-entry.ts';
import { isMissing } from '../access/keeping/is-missing.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { VersionRepository } from '../database/version-repository.ts';
import { AppError, isAppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import { UnchangedVersions } from './unchanged-versions.ts';
import { VersionView } from './version-view.ts';

/** The dependencies of {@link openVersions}. */
export interface VersionParts {
  readonly repository: VersionRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly userContexts: UserContexts;
  readonly events: FileEvents;
  /** Runs the restoration of an entry, which must not be purged meanwhile. */
  readonly whileRestoring: <T>(id: string, work: () => Promise<T>) => Promise<T>;
  /** Schedules the removal of entries that are due at this time (Unix milliseconds). */
  readonly schedulePurge: (time: number) => void;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
}

/** The former states of files of a server. */
export interface Versions {
  /** Returns the versions that the user may see. Throws `not_found` if the scope does not exist. */
  viewOf(userContext: UserContext): Promise<VersionView>;
  /**
   * Runs `work` on a version. If it throws `not_found` and the version is no longer in its store, which is in place, the
   * version is removed from the index.
   */
  dropIfMissing<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Runs the restoration of a version as {@link dropIfMissing}. It cannot be deleted meanwhile; `work` has to look for it. */
  restoring<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Compares the versions of later changes with the files that replaced them. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the versions of a server, and removes the versions of a file that is deleted forever together with it. */
export function openVersions(parts: VersionParts): Versions {
  const { repository, storage, userContexts, events, whileRestoring, schedulePurge, clock, log } = parts;

  const removeWithFile = async ({ userContext, path }: FileChange): Promise<void> => {
    try {
      const place = (await userContext.storage()).toPlace(path);
      const now = clock.now();
      const count = await repository.hideBelow(place, nameKeyFor(storage.ignoresCaseAt(place)), now);
      if (count > 0) schedulePurge(now);
    } catch (error) {
      log.error({ err: error }, 'the versions of a removed file are still in the index');
    }
  };
  events.subscribe({
    after: (change) =>
      change.event === 'delete' && (change.kept ?? []).length === 0 ? removeWithFile(change) : undefined,
  });
  const unchanged = new UnchangedVersions({ repository, storage, log });
  events.subscribe(unchanged.listener);

  const dropIfMissing: Versions['dropIfMissing'] = async (id, work) => {
    try {
      return await work();
    } catch (error) {
      const version = isAppError(error, 'not_found') ? await repository.find(id) : null;
      if (version !== null && (await isMissing(storage, version))) {
        log.warn({ version: id }, 'a version is missing in its store; it is removed from the list');
        await repository.remove(id);
      }
      throw error;
    }
  };

  return {
    start: () => unchanged.start(),
    close: () => unchanged.close(),
    dropIfMissing,
    restoring: (id, work) => whileRestoring(id, () => dropIfMissing(id, work)),
    async viewOf(userContext) {
      const stored = await userContexts.find(userContext.user.id);
      if (stored === null) throw new AppError('not_signed_in');
      const { scopeSince } = stored;
      return new VersionView(repository, { userContext, storage: await userContext.storage(), scopeSince });
    },
  };
}
