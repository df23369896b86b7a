import type { Kysely } from 'kysely';

/** Jobs with their items and results, so that they continue after a restart. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No reference to users: the unfinished copies of a deleted user must be found and removed first.
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('request_json', 'text', (column) => column.notNull())
    .addColumn('item_count', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('is_ended', 'integer', (column) => column.notNull())
    .addColumn('progress_json', 'text', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('job_items')
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('first', 'integer', (column) => column.notNull())
    .addColumn('items_json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('job_items_primary', ['job_id', 'first'])
    .execute();
  await database.schema
    .createTable('job_results')
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('first', 'integer', (column) => column.notNull())
    .addColumn('results_json', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('job_results_primary', ['job_id', 'first'])
    .execute();
}
