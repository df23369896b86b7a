import type { FastifyBaseLogger } from 'fastify';
import type { FileChange, FileEvents } from '../access/file-events.ts';
import { nameKeyFor } from '../access/kept-entry.ts';
import type { UserContext } from '../access/user-context.ts';
import type { UserContexts } from '../access/user-contexts.ts';
import type { Clock } from '../clock.ts';
import type { VersionRepository } from '../database/version-repository.ts';
import { AppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import { VersionView } from './version-view.ts';

/** The dependencies of {@link openVersions}. */
export interface VersionParts {
  readonly repository: VersionRepository;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly userContexts: UserContexts;
  readonly events: FileEvents;
  /** Schedules the removal of entries that are due at this time (Unix milliseconds). */
  readonly schedulePurge: (time: number) => void;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

/** The former states of files of a server. */
export interface Versions {
  /** Returns the versions as the user may see them. Throws `not_found` if the scope does not exist. */
  viewOf(userContext: UserContext): Promise<VersionView>;
}

/** Opens the versions: a file that is removed forever takes its versions along. */
export function openVersions(parts: VersionParts): Versions {
  const { repository, storage, userContexts, events, schedulePurge, clock, log } = parts;

  const removeWithFile = async ({ event, kept = [], userContext, path }: FileChange): Promise<void> => {
    if (event !== 'delete' || kept.length > 0) return;
    try {
      const place = (await userContext.storage()).toPlace(path);
      const now = clock.now();
      const count = await repository.hideBelow(place, nameKeyFor(storage.ignoresCaseAt(place)), now);
      if (count > 0) schedulePurge(now);
    } catch (error) {
      log.error({ err: error }, 'the versions of a removed file are still in the index');
    }
  };
  events.subscribe({ after: removeWithFile });

  return {
    async viewOf(userContext) {
      const stored = await userContexts.find(userContext.user.id);
      if (stored === null) throw new AppError('not_signed_in');
      const { scopeSince } = stored;
      return new VersionView(repository, { userContext, storage: await userContext.storage(), scopeSince });
    },
  };
}
