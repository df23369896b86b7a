import type { Kysely, Selectable } from 'kysely';
import { foldUsername } from '../../usernames/fold-username.ts';
import type { SessionRepository, StoredSession, StoredToken } from '../database.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import type { SessionRow, Tables, TokenRow } from '../schema.ts';

const sessionOf = (row: Selectable<SessionRow>): StoredSession => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  address: row.address,
  userAgent: row.user_agent,
  endsAt: row.ends_at,
});

const tokenOf = (row: Selectable<TokenRow>): StoredToken => ({
  hash: row.hash,
  cookieHash: row.cookie_hash,
  sessionId: row.session_id,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  rotatedAt: row.superseded_at,
});

const tokenRow = (token: StoredToken): TokenRow => ({
  hash: token.hash,
  cookie_hash: token.cookieHash,
  session_id: token.sessionId,
  issued_at: token.issuedAt,
  expires_at: token.expiresAt,
  superseded_at: token.rotatedAt,
});

/** Maximum number of replaced tokens kept per session. Late use of one shows that it was stolen. */
const maxRotated = 50;

/** Creates the repository of sessions in `database`. */
export function openSessionRepository(database: Kysely<Tables>): SessionRepository {
  return {
    async find(hash) {
      const token = await database
        .selectFrom('tokens')
        .selectAll()
        .where((where) => where.or([where('hash', '=', hash), where('cookie_hash', '=', hash)]))
        .executeTakeFirst();
      if (token === undefined) return null;
      const session = await database
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', token.session_id)
        .executeTakeFirst();
      if (session === undefined) return null;
      return { token: tokenOf(token), session: sessionOf(session), isCookie: token.hash !== hash };
    },
    create: (session, token, { maxPerUser, passwordHash }) =>
      inTransaction(database, async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .select('password_hash')
          .where('id', '=', session.userId)
          .executeTakeFirst();
        if (user?.password_hash !== passwordHash) return null;
        const surplus = await transaction
          .selectFrom('sessions')
          .select('id')
          .where('user_id', '=', session.userId)
          .orderBy('last_seen_at', 'desc')
          .orderBy('id')
          .limit(1_000_000)
          .offset(Math.max(0, maxPerUser - 1))
          .execute();
        const ids = surplus.map((row) => row.id);
        if (ids.length > 0) await transaction.deleteFrom('sessions').where('id', 'in', ids).execute();
        await transaction
          .insertInto('sessions')
          .values({
            id: session.id,
            user_id: session.userId,
            created_at: session.createdAt,
            last_seen_at: session.lastSeenAt,
            address: session.address,
            user_agent: session.userAgent,
            ends_at: session.endsAt,
          })
          .execute();
        await transaction.insertInto('tokens').values(tokenRow(token)).execute();
        return ids;
      }),
    rotate: (hash, successor) =>
      inTransaction(database, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('tokens')
          .set({ superseded_at: successor.issuedAt })
          .where('hash', '=', hash)
          .where('superseded_at', 'is', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await transaction.insertInto('tokens').values(tokenRow(successor)).execute();
        const surplus = await transaction
          .selectFrom('tokens')
          .select('hash')
          .where('session_id', '=', successor.sessionId)
          .where('superseded_at', 'is not', null)
          .orderBy('issued_at', 'desc')
          .orderBy('hash')
          .limit(1_000_000)
          .offset(maxRotated)
          .execute();
        const hashes = surplus.map((row) => row.hash);
        if (hashes.length > 0) await transaction.deleteFrom('tokens').where('hash', 'in', hashes).execute();
        return true;
      }),
    async list(userId, { now, lastSeenAt, rotatedAt }) {
      const rows = await database
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('ends_at', '>', now)
        .where('last_seen_at', '>=', lastSeenAt)
        .where('id', 'in', (inner) =>
          inner
            .selectFrom('tokens')
            .select('session_id')
            .where('expires_at', '>', now)
            .where((where) =>
              where.or([where('superseded_at', 'is', null), where('superseded_at', '>=', rotatedAt)]),
            ),
        )
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      return rows.map(sessionOf);
    },
    async addressesOf(username, now) {
      const rows = await database
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.address')
        .distinct()
        .where('users.username_key', '=', foldUsername(username))
        .where('sessions.ends_at', '>', now)
        .execute();
      return rows.map(({ address }) => address);
    },
    async exists(id) {
      const row = await database.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
      return row !== undefined;
    },
    async touch(id, lastSeenAt) {
      await database.updateTable('sessions').set({ last_seen_at: lastSeenAt }).where('id', '=', id).execute();
    },
    async remove(id) {
      await database.deleteFrom('sessions').where('id', '=', id).execute();
    },
    async removeOfUser(userId, exceptId) {
      let query = database.deleteFrom('sessions').where('user_id', '=', userId);
      if (exceptId !== undefined) query = query.where('id', '!=', exceptId);
      await query.execute();
    },
    async removeAll() {
      const { numDeletedRows } = await database.deleteFrom('sessions').executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
    async count(now) {
      const { count } = await database
        .selectFrom('sessions')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('ends_at', '>', now)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async purge({ now, lastSeenAt }) {
      const { numDeletedRows } = await database
        .deleteFrom('sessions')
        .where((where) => where.or([where('ends_at', '<=', now), where('last_seen_at', '<=', lastSeenAt)]))
        .executeTakeFirstOrThrow();
      await database.deleteFrom('tokens').where('expires_at', '<=', now).execute();
      const orphans = await database
        .deleteFrom('sessions')
        .where('id', 'not in', (inner) => inner.selectFrom('tokens').select('session_id'))
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows + orphans.numDeletedRows);
    },
  };
}
