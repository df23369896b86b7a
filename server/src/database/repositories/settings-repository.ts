import { randomBytes } from 'node:crypto';
import { Settings } from '@filestead/contract/settings';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { AuthMethod, defaultAuthMethod } from '../../config/auth-method.ts';
import type { SettingsRepository } from '../database.ts';
import { inTransaction } from '../sqlite/in-transaction.ts';
import type { Tables } from '../schema.ts';

/** Creates the repository of settings and secrets in `database`. */
export function openSettingsRepository(database: Kysely<Tables>): SettingsRepository {
  return {
    async read() {
      const row = await database.selectFrom('settings').select('value_json').executeTakeFirst();
      return row === undefined ? null : z.parse(Settings, JSON.parse(row.value_json));
    },
    async write(settings) {
      const value_json = JSON.stringify(settings);
      await database
        .insertInto('settings')
        .values({ id: 1, value_json })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ value_json }))
        .execute();
    },
    async readAuthMethod() {
      const row = await database.selectFrom('auth_method').select('value_json').executeTakeFirst();
      return row === undefined ? defaultAuthMethod : z.parse(AuthMethod, JSON.parse(row.value_json));
    },
    async writeAuthMethod(method) {
      const value_json = JSON.stringify(z.parse(AuthMethod, method));
      await database
        .insertInto('auth_method')
        .values({ id: 1, value_json })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ value_json }))
        .execute();
    },
    async secret(name, bytes) {
      const query = database.selectFrom('secrets').select('value').where('name', '=', name);
      // Reading a key must work with a read-only database.
      const existing = await query.executeTakeFirst();
      if (existing !== undefined) return Buffer.from(existing.value, 'base64url');
      await database
        .insertInto('secrets')
        .values({ name, value: randomBytes(bytes).toString('base64url') })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const row = await query.executeTakeFirstOrThrow();
      return Buffer.from(row.value, 'base64url');
    },
    async hasSecrets() {
      const row = await database.selectFrom('secrets').select('name').executeTakeFirst();
      return row !== undefined;
    },
    replaceSecrets: () =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction.selectFrom('secrets').selectAll().execute();
        for (const { name, value } of rows) {
          const newValue = randomBytes(Buffer.from(value, 'base64url').length).toString('base64url');
          await transaction
            .updateTable('secrets')
            .set({ value: newValue })
            .where('name', '=', name)
            .execute();
        }
        return rows.length;
      }),
  };
}
