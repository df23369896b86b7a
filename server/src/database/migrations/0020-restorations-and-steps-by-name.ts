import type { Kysely } from 'kysely';

/** Restorations that the command line requests from a running server, and an index to find the steps of a file. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('requested_restorations')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('kept_id', 'text', (column) => column.notNull())
    // The path or folder that was requested; null for the original place.
    .addColumn('destination', 'text')
    // The path at which it is now, or the reason why it was not restored; both are null until the server has tried.
    .addColumn('path', 'text')
    .addColumn('failure', 'text')
    .execute();
  // A folder may have many thousand steps, which were all read for each deleted file in it.
  await database.schema.dropIndex('operation_steps_place').execute();
  await database.schema
    .createIndex('operation_steps_place')
    .on('operation_steps')
    .columns(['place', 'name'])
    .execute();
}
