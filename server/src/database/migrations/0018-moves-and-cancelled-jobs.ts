import type { Kysely } from 'kysely';

/** The latest move of a folder that was recorded in a store and is known to the index, and jobs that the command line cancels. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('ledgers')
    .addColumn('move_number', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema
    .alterTable('jobs')
    .addColumn('is_cancelled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
