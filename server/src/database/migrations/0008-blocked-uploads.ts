import type { Kysely } from 'kysely';

/** When uploads began, and why those whose bytes have all arrived could not be finished. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('uploads')
    .addColumn('began_at', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema.alterTable('uploads').addColumn('blocked_by', 'text').execute();
}
