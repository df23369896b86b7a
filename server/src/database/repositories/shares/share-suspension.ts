import { joinPaths, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, sql } from 'kysely';
import type { EndedPath, ShareRepository } from '../../database.ts';
import type { Tables } from '../../schema.ts';
import { inTransaction } from '../../sqlite/in-transaction.ts';
import { assertStorableText } from '../../sqlite/storable-text.ts';
import { inPieces } from '../place-tree.ts';
import { shareOf } from './share-rows.ts';

/** Takes the place of the id of a deleted entry while the entry of a share is being removed forever. No entry has it. */
const removalId = 'removal';

/**
 * Returns the hashes of the active shares at and below paths, each with the `keptId` of the first path above it: one query for
 * many paths, of which few have shares.
 */
async function sharesUnder(
  database: Kysely<Tables>,
  paths: readonly EndedPath[],
): Promise<ReadonlyMap<string, string | null>> {
  const given = JSON.stringify(
    paths.map(({ userId, path, keptId, deletedAt = null }) => [userId, path, keptId, deletedAt]),
  );
  // Each half uses the index of users and paths. `0` is the character after the slash.
  const { rows } = await sql<{ hash: string; kept_id: string | null }>`
    with given(position, user_id, path, prefix, kept_id, deleted_at) as materialized (
      select key, value ->> 0, value ->> 1, rtrim(value ->> 1, '/'), value ->> 2, value ->> 3 from json_each(${given})
    )
    select position, shares.hash, given.kept_id from given cross join shares
      on shares.user_id = given.user_id and shares.path = given.path
    where shares.kept_id is null and (given.deleted_at is null or shares.created_at <= given.deleted_at)
    union all
    select position, shares.hash, given.kept_id from given cross join shares
      on shares.user_id = given.user_id
      and shares.path >= given.prefix || '/' and shares.path < given.prefix || '0'
    where shares.kept_id is null and (given.deleted_at is null or shares.created_at <= given.deleted_at)
    order by position desc`.execute(database);
  return new Map(rows.map(({ hash, kept_id }) => [hash, kept_id]));
}

/** Suspends shares with the deleted entries to which their hashes are mapped, and removes those that are mapped to null. */
const endShares = (database: Kysely<Tables>, keptIds: ReadonlyMap<string, string | null>): Promise<void> =>
  inTransaction(database, async (transaction) => {
    for (const [hash, keptId] of keptIds) {
      await (keptId === null
        ? transaction.deleteFrom('shares').where('hash', '=', hash).execute()
        : transaction.updateTable('shares').set({ kept_id: keptId }).where('hash', '=', hash).execute());
    }
  });

/** The part of the repository that ends and suspends the shares of entries that are deleted or removed. */
export type ShareSuspension = Pick<
  ShareRepository,
  'endUnder' | 'announceRemoval' | 'announcedRemovals' | 'suspended' | 'resume' | 'removeSuspended'
>;

/** Creates the suspension of the shares in `database`. */
export function openShareSuspension(database: Kysely<Tables>): ShareSuspension {
  return {
    async endUnder(paths) {
      // The query receives the paths as JSON, in which the database does not see what it cannot store.
      for (const { path } of paths) assertStorableText(path);
      for (const piece of inPieces(paths)) {
        const ended = await sharesUnder(database, piece);
        if (ended.size > 0) await endShares(database, ended);
      }
    },
    async announceRemoval(paths) {
      for (const { path } of paths) assertStorableText(path);
      const announced = await sharesUnder(
        database,
        paths.map((path) => ({ ...path, keptId: removalId })),
      );
      if (announced.size > 0) await endShares(database, announced);
      return [...announced.keys()];
    },
    async announcedRemovals() {
      const rows = await database
        .selectFrom('shares')
        .selectAll()
        .where('kept_id', '=', removalId)
        .orderBy('hash')
        .execute();
      return rows.map(shareOf);
    },
    async suspended(keptId) {
      const rows = await database
        .selectFrom('shares')
        .innerJoin('users', 'users.id', 'shares.user_id')
        .select(['shares.hash', 'shares.user_id', 'shares.path', 'users.scope'])
        .where('shares.kept_id', '=', keptId)
        .execute();
      return rows.map((row) => {
        const scope = parsePath(row.scope).path;
        // The column only contains paths.
        return {
          hash: row.hash,
          userId: row.user_id,
          servedPath: joinPaths(scope, row.path as VirtualPath),
          scope,
        };
      });
    },
    async resume(hash, path) {
      await database.updateTable('shares').set({ kept_id: null, path }).where('hash', '=', hash).execute();
    },
    async removeSuspended(keptIds) {
      for (const piece of inPieces(keptIds)) {
        await database.deleteFrom('shares').where('kept_id', 'in', piece).execute();
      }
    },
  };
}
