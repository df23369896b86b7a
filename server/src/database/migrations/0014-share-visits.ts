import type { Kysely } from 'kysely';

/** Adds the number of visits to shares. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('shares')
    .addColumn('visits', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
