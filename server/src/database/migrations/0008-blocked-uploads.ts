import type { Kysely } from 'kysely';

/** Start time of uploads, and the error that blocks complete ones. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('uploads')
    .addColumn('began_at', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema.alterTable('uploads').addColumn('blocked_by', 'text').execute();
}
