import { type Kysely, sql } from 'kysely';

/** Whether a former state had the same content as the file that replaced it, so that its bytes were removed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('kept')
    .addColumn('unchanged', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema
    .createIndex('kept_unchanged')
    .on('kept')
    .columns(['unchanged', 'kept_at'])
    .where(sql.ref('unchanged'), '<>', sql.lit(0))
    .execute();
}
