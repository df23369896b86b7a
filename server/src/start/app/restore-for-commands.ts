import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Storage } from '../../storage/storage.ts';
import { RequestedRestorations } from '../../trash/requested-restorations.ts';
import { restoreByCommand } from '../../trash/restore-by-command.ts';
import type { TrashIndex } from '../../trash/trash-index.ts';
import { restoreVersionByCommand } from '../../versions/restore-by-command.ts';

/** The parts of the server that restore entries for the command line. */
export interface CommandRestorationParts {
  readonly database: Pick<Database, 'restorations' | 'trash' | 'versions'>;
  readonly index: TrashIndex;
  /** Rooted at the served folder. */
  readonly storage: Storage;
  readonly keepsDeleted: boolean;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/** Returns the restorations of deleted entries and versions that the command line requests from the running server. */
export const restoreForCommands = ({
  database,
  index,
  storage,
  keepsDeleted,
  clock,
  log,
}: CommandRestorationParts): RequestedRestorations =>
  new RequestedRestorations({
    repository: database.restorations,
    async restore({ keptId, destination }) {
      if ((await database.versions.find(keptId)) === null)
        return restoreByCommand({ repository: database.trash, index, storage }, keptId, destination);
      const parts = {
        repository: database.versions,
        record: (entries: Parameters<TrashIndex['record']>[0]) => index.record(entries),
        storage,
        keepsDeleted,
        now: clock.now,
      };
      return restoreVersionByCommand(parts, keptId, destination);
    },
    clock,
    log,
  });
