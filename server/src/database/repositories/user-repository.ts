import type { Permissions } from '@filestead/contract/values/permissions';
import { Rules } from '@filestead/contract/rules';
import { inOrder, userFields } from '@filestead/contract/user-fields';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import * as z from 'zod/mini';
import { foldUsername } from '../../usernames/fold-username.ts';
import { findLookAlike } from '../../usernames/look-alike-names.ts';
import { AppError } from '../../errors.ts';
import type { NewUser, StoredUser, UserRepository } from '../database.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import { isUniqueViolation } from '../sqlite/open-sqlite.ts';
import { columnsOfPreferences, preferencesOfColumns } from './preference-columns.ts';
import { rescopeShares } from './shares/rescope-shares.ts';
import type { Tables, UserRow } from '../schema.ts';

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

const Commands = z.array(z.string());

function permissionsOf(row: Selectable<UserRow>): Permissions {
  return {
    admin: row.may_administrate === 1,
    execute: row.may_execute === 1,
    create: row.may_create === 1,
    rename: row.may_rename === 1,
    modify: row.may_modify === 1,
    delete: row.may_delete === 1,
    share: row.may_share === 1,
    download: row.may_download === 1,
    purge: row.may_purge === 1,
  };
}

function userOf(row: Selectable<UserRow>): StoredUser {
  return inOrder(['id', ...userFields], {
    id: row.id,
    username: row.username,
    password: '',
    scope: row.scope,
    lockPassword: row.lock_password === 1,
    perm: permissionsOf(row),
    commands: z.parse(Commands, JSON.parse(row.commands_json)),
    rules: z.parse(Rules, JSON.parse(row.rules_json)),
    ...preferencesOfColumns(row),
    passwordHash: row.password_hash,
    changedAt: row.changed_at,
    lastSignInAt: row.last_sign_in_at,
    awaitsScope: row.awaits_scope === 1,
    scopeSince: row.scope_since,
  });
}

function rowOf(user: NewUser): Omit<Insertable<UserRow>, 'id'> {
  const { perm } = user;
  return {
    username: user.username,
    username_key: foldUsername(user.username),
    password_hash: user.passwordHash,
    scope: user.scope,
    lock_password: flag(user.lockPassword),
    may_administrate: flag(perm.admin),
    may_execute: flag(perm.execute),
    may_create: flag(perm.create),
    may_rename: flag(perm.rename),
    may_modify: flag(perm.modify),
    may_delete: flag(perm.delete),
    may_share: flag(perm.share),
    may_download: flag(perm.download),
    may_purge: flag(perm.purge),
    commands_json: JSON.stringify(user.commands),
    rules_json: JSON.stringify(user.rules),
    ...columnsOfPreferences(user),
    awaits_scope: flag(user.awaitsScope === true),
    scope_since: user.scopeSince ?? Date.now(),
    changed_at: Date.now(),
  };
}

async function convertUniqueViolation<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('username_taken', undefined, { cause: error });
    throw error;
  }
}

/** Throws `username_taken` if the scope of another user is equal to `scope` or inside it. */
async function assertOwnScope(transaction: Transaction<Tables>, scope: string): Promise<void> {
  const foldedScope = foldUsername(scope);
  const others = await transaction.selectFrom('users').select('scope').distinct().execute();
  if (others.some((other) => `${foldUsername(other.scope)}/`.startsWith(`${foldedScope}/`))) {
    throw new AppError('username_taken', 'the home folder derived from this name belongs to another user');
  }
}

/** Throws `username_taken` if the name of a user other than `id` looks like `username`. */
async function assertDistinctName(
  transaction: Transaction<Tables>,
  username: string,
  id?: number,
): Promise<void> {
  const others = await transaction.selectFrom('users').select(['id', 'username']).execute();
  const names = others.filter((other) => other.id !== id).map((other) => other.username);
  if (findLookAlike(username, names) !== null) {
    throw new AppError('username_taken', 'the name looks like that of another user');
  }
}

/** Throws `last_administrator` unless a user other than `id` is an administrator. */
async function assertAnotherAdministrator(transaction: Transaction<Tables>, id: number): Promise<void> {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('may_administrate', '=', 1)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) throw new AppError('last_administrator');
}

/** Creates the repository of users in `database`. */
export function openUserRepository(database: Kysely<Tables>): UserRepository {
  return {
    async list() {
      return (await database.selectFrom('users').selectAll().orderBy('id').execute()).map(userOf);
    },
    async find(id) {
      const row = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : userOf(row);
    },
    async findByName(username) {
      const row = await database
        .selectFrom('users')
        .selectAll()
        .where('username_key', '=', foldUsername(username))
        .executeTakeFirst();
      return row === undefined ? null : userOf(row);
    },
    create: (user, { ownsScope = false, isDistinct = false } = {}) =>
      convertUniqueViolation(() =>
        inTransaction(database, async (transaction) => {
          if (ownsScope) await assertOwnScope(transaction, user.scope);
          if (isDistinct) await assertDistinctName(transaction, user.username);
          return userOf(
            await transaction
              .insertInto('users')
              .values(rowOf(user))
              .returningAll()
              .executeTakeFirstOrThrow(),
          );
        }),
      ),
    update: (id, change) =>
      convertUniqueViolation(() =>
        inTransaction(database, async (transaction) => {
          const row = await transaction
            .selectFrom('users')
            .selectAll()
            .where('id', '=', id)
            .executeTakeFirst();
          if (row === undefined) throw new AppError('not_found');
          const current = userOf(row);
          const hasNewScope = change.scope !== undefined && change.scope !== current.scope;
          const scopeSince = hasNewScope ? Date.now() : current.scopeSince;
          const next = { ...current, scopeSince, ...change };
          if (current.perm.admin && !next.perm.admin) await assertAnotherAdministrator(transaction, id);
          if (foldUsername(next.username) !== foldUsername(current.username)) {
            await assertDistinctName(transaction, next.username, id);
          }
          await rescopeShares(transaction, id, current.scope, next.scope);
          return userOf(
            await transaction
              .updateTable('users')
              .set(rowOf(next))
              .where('id', '=', id)
              .returningAll()
              .executeTakeFirstOrThrow(),
          );
        }),
      ),
    async rehash(id, from, to) {
      await database
        .updateTable('users')
        .set({ password_hash: to })
        .where('id', '=', id)
        .where('password_hash', '=', from)
        .execute();
    },
    async recordSignIn(id, at) {
      await database.updateTable('users').set({ last_sign_in_at: at }).where('id', '=', id).execute();
    },
    async findImportedHash() {
      const row = await database
        .selectFrom('users')
        .select('password_hash')
        .where('password_hash', 'like', '$2%')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return row?.password_hash ?? null;
    },
    async removeAll() {
      await database.deleteFrom('users').execute();
    },
    async remove(id) {
      await inTransaction(database, async (transaction) => {
        const row = await transaction
          .selectFrom('users')
          .select('may_administrate')
          .where('id', '=', id)
          .executeTakeFirst();
        if (row === undefined) throw new AppError('not_found');
        if (row.may_administrate === 1) await assertAnotherAdministrator(transaction, id);
        await transaction.deleteFrom('users').where('id', '=', id).execute();
      });
    },
  };
}
