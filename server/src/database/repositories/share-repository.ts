import { joinPaths, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ExpressionBuilder, ExpressionWrapper, Kysely, Selectable, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { EndedPath, ListedShare, ShareRepository } from '../database.ts';
import type { StoredShare } from '../stored-share.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import { assertStorableText } from '../sqlite/storable-text.ts';
import type { ShareRow, Tables } from '../schema.ts';
import { inPieces } from './place-tree.ts';

const shareOf = (row: Selectable<ShareRow>): StoredShare => ({
  hash: row.hash,
  userId: row.user_id,
  // The column only contains paths.
  path: row.path as VirtualPath,
  isFolder: row.is_folder === 1,
  expiresAt: row.expires_at,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  visits: row.visits,
});

const listedOf = (row: Selectable<ShareRow> & { username: string }): ListedShare => ({
  ...shareOf(row),
  username: row.username,
});

/** Takes the place of the id of a deleted entry while the entry of a share is being removed forever. No entry has it. */
const removalId = 'removal';

type Where = ExpressionBuilder<Tables, 'shares'>;

/** Number of shares per query; about 5 ms. */
const pageRows = 500;

/** Condition for unexpired shares; `now` in Unix seconds. */
const isUnexpired =
  (now: number) =>
  (where: Where): ExpressionWrapper<Tables, 'shares', SqlBool> =>
    where.or([where('expires_at', '=', 0), where('expires_at', '>', now)]);

/**
 * Condition for paths at or below `folder`, as ranges that can use the index. `0` is the character after the
 * slash.
 */
const atOrBelow =
  (folder: VirtualPath) =>
  (where: Where): ExpressionWrapper<Tables, 'shares', SqlBool> => {
    const prefix = folder === '/' ? '' : folder;
    return where.or([
      where('path', '=', folder),
      where.and([where('path', '>=', `${prefix}/`), where('path', '<', `${prefix}0`)]),
    ]);
  };

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

/** Creates the repository of shares in `database`. */
export function openShareRepository(database: Kysely<Tables>): ShareRepository {
  const listed = (now: number) =>
    database
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .selectAll('shares')
      .select('users.username')
      .where('shares.kept_id', 'is', null)
      .where((where) => where.or([where('shares.expires_at', '=', 0), where('shares.expires_at', '>', now)]))
      .orderBy('shares.user_id')
      .orderBy('shares.expires_at')
      .orderBy('shares.created_at')
      .orderBy('shares.hash');

  return {
    async find(hash, now) {
      const row = await database
        .selectFrom('shares')
        .selectAll()
        .where('hash', '=', hash)
        .where('kept_id', 'is', null)
        .where(isUnexpired(now))
        .executeTakeFirst();
      return row === undefined ? null : shareOf(row);
    },
    async *list(now, userId) {
      const query = userId === undefined ? listed(now) : listed(now).where('shares.user_id', '=', userId);
      let page = await query.limit(pageRows).execute();
      for (;;) {
        if (page.length > 0) yield page.map(listedOf);
        const last = page.at(-1);
        if (last === undefined || page.length < pageRows) return;
        const { user_id, expires_at, created_at, hash } = last;
        const isAfterLast = sql<SqlBool>`(shares.user_id, shares.expires_at, shares.created_at, shares.hash) >
          (${user_id}, ${expires_at}, ${created_at}, ${hash})`;
        page = await query.where(isAfterLast).limit(pageRows).execute();
      }
    },
    async listAt(now, paths) {
      const found: ListedShare[] = [];
      for (const { userId, path } of paths) {
        const rows = await listed(now)
          .where('shares.user_id', '=', userId)
          .where('shares.path', '=', path)
          .execute();
        found.push(...rows.map(listedOf));
      }
      return found;
    },
    async listUnder(paths) {
      const found: StoredShare[] = [];
      for (const { userId, path } of paths) {
        const rows = await database
          .selectFrom('shares')
          .selectAll()
          .where('user_id', '=', userId)
          .where('kept_id', 'is', null)
          .where(atOrBelow(path))
          .orderBy('path')
          .execute();
        found.push(...rows.map(shareOf));
      }
      return found;
    },
    async owners() {
      const rows = await database
        .selectFrom('users')
        .select(['id', 'scope'])
        .where((where) =>
          where.exists(
            where
              .selectFrom('shares')
              .select(sql`1`.as('one'))
              .whereRef('shares.user_id', '=', 'users.id'),
          ),
        )
        .orderBy('id')
        .execute();
      return rows.map(({ id, scope }) => ({ userId: id, scope: parsePath(scope).path }));
    },
    create: (share, { maxPerUser, scope }) =>
      inTransaction(database, async (transaction) => {
        const owner = await transaction
          .selectFrom('users')
          .select('scope')
          .where('id', '=', share.userId)
          .executeTakeFirst();
        if (owner === undefined || (scope !== undefined && owner.scope !== scope)) return 'other_scope';
        const { count } = await transaction
          .selectFrom('shares')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_id', '=', share.userId)
          .executeTakeFirstOrThrow();
        if (count >= maxPerUser) {
          const excess = count - maxPerUser + 1;
          const expired = await transaction
            .selectFrom('shares')
            .select('hash')
            .where('user_id', '=', share.userId)
            .where('expires_at', '>', 0)
            .where('expires_at', '<=', Math.floor(share.createdAt / 1000))
            .orderBy('expires_at')
            .limit(excess)
            .execute();
          if (expired.length < excess) return 'too_many';
          const hashes = expired.map(({ hash }) => hash);
          await transaction.deleteFrom('shares').where('hash', 'in', hashes).execute();
        }
        await transaction
          .insertInto('shares')
          .values({
            hash: share.hash,
            user_id: share.userId,
            path: share.path,
            is_folder: share.isFolder ? 1 : 0,
            expires_at: share.expiresAt,
            password_hash: share.passwordHash,
            created_at: share.createdAt,
            visits: share.visits,
          })
          .execute();
        return 'created';
      }),
    async update(hash, { expiresAt, passwordHash }) {
      await database
        .updateTable('shares')
        .set({
          ...(expiresAt !== undefined && { expires_at: expiresAt }),
          ...(passwordHash !== undefined && { password_hash: passwordHash }),
        })
        .where('hash', '=', hash)
        .execute();
    },
    addVisits: (visits) =>
      inTransaction(database, async (transaction) => {
        for (const [hash, count] of visits) {
          await transaction
            .updateTable('shares')
            .set((share) => ({ visits: share('visits', '+', count) }))
            .where('hash', '=', hash)
            .execute();
        }
      }),
    async remove(hash) {
      await database.deleteFrom('shares').where('hash', '=', hash).execute();
    },
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
    moveUnder: (moves) =>
      inTransaction(database, async (transaction) => {
        for (const { userId, from, to } of moves) {
          // SQLite counts characters, not UTF-16 code units.
          const restStart = [...from].length + 1;
          await transaction
            .updateTable('shares')
            .set({ path: sql<string>`${to} || substr(path, ${restStart})` })
            .where('user_id', '=', userId)
            .where('kept_id', 'is', null)
            .where(atOrBelow(from))
            .execute();
        }
      }),
    async removeExpired(now) {
      const { numDeletedRows } = await database
        .deleteFrom('shares')
        .where('expires_at', '>', 0)
        .where('expires_at', '<=', now)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
