import type { Kysely } from 'kysely';

/** Start-up options stored by the command line. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('server_options')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
