import type { Kysely } from 'kysely';

/** Accounts that see no files until an administrator has granted their scope. Existing accounts keep what they see. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('users')
    .addColumn('awaits_scope', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
