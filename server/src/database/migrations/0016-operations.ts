import type { Kysely } from 'kysely';

/** Adds the log of operations that changed files, with the state in which each left its entries, so that they can be undone. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('operations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No reference to users: administrators see the operations of a deleted user.
    .addColumn('user_id', 'integer')
    .addColumn('session', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('started_at', 'integer', (column) => column.notNull())
    .addColumn('ended_at', 'integer')
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('undoes', 'text')
    .addColumn('undone_by', 'text')
    .execute();
  await database.schema
    .createIndex('operations_time')
    .on('operations')
    .columns(['started_at', 'id'])
    .execute();
  await database.schema
    .createIndex('operations_user_time')
    .on('operations')
    .columns(['user_id', 'started_at', 'id'])
    .execute();

  await database.schema
    .createTable('operation_steps')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('act', 'text', (column) => column.notNull())
    // A folder of the table `places` and a name in it; an empty name is the folder itself.
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('from_place', 'integer')
    .addColumn('from_name', 'text')
    .addColumn('kept_id', 'text')
    .addColumn('kind', 'text')
    .addColumn('inode', 'text')
    .addColumn('size', 'integer')
    .addColumn('modified_ns', 'text')
    .addColumn('changed_ns', 'text')
    .addColumn('undoes', 'integer')
    .addColumn('is_undone', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema
    .createIndex('operation_steps_operation')
    .on('operation_steps')
    .columns(['operation', 'id'])
    .execute();
  for (const column of ['place', 'from_place']) {
    await database.schema
      .createIndex(`operation_steps_${column}`)
      .on('operation_steps')
      .column(column)
      .execute();
  }
}
