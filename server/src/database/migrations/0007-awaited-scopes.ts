import type { Kysely } from 'kysely';

/** Accounts without files until an administrator grants their scope. Existing accounts are not affected. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('users')
    .addColumn('awaits_scope', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
