import { keptEntryOf } from '../access/keeping/kept-entry.ts';
import type { Database } from '../database/database.ts';
import { isAppError } from '../errors.ts';
import type { Storage } from '../storage/storage.ts';
import { SpaceKeeper, type SpaceKeeperParts } from './space-keeper.ts';

/** The dependencies of {@link openSpaceKeeper}. */
export interface OpenSpaceKeeperParts extends Pick<
  SpaceKeeperParts,
  'purge' | 'thin' | 'rules' | 'keptSize' | 'clock' | 'log'
> {
  readonly database: Pick<Database, 'retention' | 'trash'>;
  /** Rooted at the served folder. */
  readonly storage: Storage;
}

/** Opens the {@link SpaceKeeper} for the stores of a storage. */
export function openSpaceKeeper({ database, storage, ...parts }: OpenSpaceKeeperParts): SpaceKeeper {
  return new SpaceKeeper({
    ...parts,
    repository: database.retention,
    kept: database.trash,
    measure: () => storage.stores({ isBrief: true }),
    async readLedger(store, position) {
      await storage.ledger(store, { since: position })[Symbol.asyncIterator]().next();
    },
    async isPresent(id) {
      const [kept] = await database.trash.findAll([id]);
      if (kept === undefined) return true;
      try {
        await (await storage.kept(keptEntryOf(kept))).close();
        return true;
      } catch (error) {
        if (isAppError(error, 'not_found')) return false;
        // A special file cannot be opened, but it exists.
        if (isAppError(error)) return true;
        throw error;
      }
    },
  });
}
