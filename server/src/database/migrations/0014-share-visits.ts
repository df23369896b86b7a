import type { Kysely } from 'kysely';

/** The number of visits of each share. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('shares')
    .addColumn('visits', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
