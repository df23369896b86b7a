import { type Kysely, sql } from 'kysely';

/**
 * Adds versions (former states of replaced files) to the table of kept entries: the file to which they belong, and their
 * properties.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('kept')
    // The form in which the name of a replaced file is compared; null for a deleted entry.
    .addColumn('name_key', 'text')
    .execute();
  // The deleted file to which a former state belongs; empty while the file exists.
  await database.schema
    .alterTable('kept')
    .addColumn('owner_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await database.schema.alterTable('kept').addColumn('label', 'text').execute();
  await database.schema
    .alterTable('kept')
    .addColumn('keep_forever', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // The user who wrote the state, the act and the time; null when unknown.
  await database.schema.alterTable('kept').addColumn('written_by', 'integer').execute();
  await database.schema.alterTable('kept').addColumn('written_act', 'text').execute();
  await database.schema.alterTable('kept').addColumn('written_at', 'integer').execute();

  // The list of the trash does not read former states, of which there may be many more than deleted entries.
  await database.schema.dropIndex('kept_time').execute();
  await database.schema.dropIndex('kept_user_time').execute();
  await database.schema
    .createIndex('kept_deleted_time')
    .on('kept')
    .columns(['purge_at', 'kept_at', 'id'])
    .where(sql.ref('act'), '=', sql.lit('delete'))
    .execute();
  await database.schema
    .createIndex('kept_deleted_user_time')
    .on('kept')
    .columns(['user_id', 'purge_at', 'kept_at', 'id'])
    .where(sql.ref('act'), '=', sql.lit('delete'))
    .execute();
  await database.schema
    .createIndex('kept_purge')
    .on('kept')
    .column('purge_at')
    .where(sql.ref('purge_at'), 'is not', null)
    .execute();
  await database.schema
    .createIndex('kept_versions')
    .on('kept')
    .columns(['place', 'name_key', 'owner_id', 'kept_at', 'id'])
    .where(sql.ref('name_key'), 'is not', null)
    .execute();
  await database.schema
    .createIndex('kept_owner')
    .on('kept')
    .column('owner_id')
    .where(sql.ref('owner_id'), '<>', sql.lit(''))
    .execute();
}
