import { type Kysely, sql } from 'kysely';
import type { ShareRepository } from '../database.ts';
import type { Tables } from '../schema.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import { openShareList } from './shares/share-list.ts';
import { atOrBelow } from './shares/share-rows.ts';
import { openShareSuspension } from './shares/share-suspension.ts';

/** Creates the repository of shares in `database`. */
export function openShareRepository(database: Kysely<Tables>): ShareRepository {
  return {
    ...openShareList(database),
    ...openShareSuspension(database),
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
