import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Kysely } from 'kysely';
import type { RestorationRepository, RestorationResult } from '../../restoration-repository.ts';
import type { Tables } from '../../schema.ts';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import { inPieces } from '../place-tree.ts';

/** Creates the repository of requested restorations in `database`. */
export const openRestorationRepository = (database: Kysely<Tables>): RestorationRepository => ({
  request: (requests) =>
    inTransaction(database, async (transaction) => {
      const ids: number[] = [];
      for (const { keptId, destination } of requests) {
        const { id } = await transaction
          .insertInto('requested_restorations')
          .values({ kept_id: keptId, destination })
          .returning('id')
          .executeTakeFirstOrThrow();
        ids.push(id);
      }
      return ids;
    }),
  async waiting() {
    const rows = await database
      .selectFrom('requested_restorations')
      .select(['id', 'kept_id', 'destination'])
      .where('path', 'is', null)
      .where('failure', 'is', null)
      .orderBy('id')
      .execute();
    return rows.map(({ id, kept_id, destination }) => ({
      id,
      keptId: kept_id,
      // Only parsed paths are stored.
      destination: destination as VirtualPath | null,
    }));
  },
  async setResult(id, result) {
    await database.updateTable('requested_restorations').set(result).where('id', '=', id).execute();
  },
  async results(ids) {
    const found = new Map<number, RestorationResult>();
    for (const piece of inPieces(ids)) {
      const rows = await database
        .selectFrom('requested_restorations')
        .select(['id', 'path', 'failure'])
        .where('id', 'in', piece)
        .execute();
      for (const { id, path, failure } of rows) {
        if (path !== null) found.set(id, { path });
        else if (failure !== null) found.set(id, { failure });
      }
    }
    return found;
  },
  async remove(ids) {
    for (const piece of inPieces(ids))
      await database.deleteFrom('requested_restorations').where('id', 'in', piece).execute();
  },
});
