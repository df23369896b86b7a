import { parsePath } from '@filestead/contract/paths/virtual-path';
import { type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { ListedShare, ShareRepository } from '../../database.ts';
import type { ShareRow, Tables } from '../../schema.ts';
import type { StoredShare } from '../../stored-share.ts';
import { atOrBelow, shareOf } from './share-rows.ts';

/** Number of shares per query; about 5 ms. */
const pageRows = 500;

const listedOf = (row: Selectable<ShareRow> & { username: string }): ListedShare => ({
  ...shareOf(row),
  username: row.username,
});

/** Condition for unexpired shares; `now` in Unix seconds. */
const isUnexpired = (now: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(shares.expires_at = 0 or shares.expires_at > ${now})`;

/** The part of the repository that reads shares which are not suspended. */
export type ShareList = Pick<ShareRepository, 'find' | 'list' | 'listAt' | 'listUnder' | 'owners'>;

/** Creates the list of the shares in `database`. */
export function openShareList(database: Kysely<Tables>): ShareList {
  const listed = (now: number) =>
    database
      .selectFrom('shares')
      .innerJoin('users', 'users.id', 'shares.user_id')
      .selectAll('shares')
      .select('users.username')
      .where('shares.kept_id', 'is', null)
      .where(isUnexpired(now))
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
  };
}
