import type { Kysely } from 'kysely';

/** The index of deleted entries that are kept, the folders that contained them, and the shares that are suspended with them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('places')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    // 0 for the served root; null for a deleted folder, which is then in `kept_id`.
    .addColumn('parent', 'integer')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('kept_id', 'text')
    .execute();
  await database.schema
    .createIndex('places_parent_key')
    .unique()
    .on('places')
    .columns(['parent', 'key'])
    .execute();
  await database.schema.createIndex('places_kept_id').on('places').column('kept_id').execute();

  await database.schema
    .createTable('kept')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('store', 'text', (column) => column.notNull())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('stored_name', 'text', (column) => column.notNull())
    .addColumn('original_path', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('size', 'integer')
    .addColumn('modified_ns', 'text', (column) => column.notNull())
    .addColumn('kept_at', 'integer', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('act', 'text', (column) => column.notNull())
    // No reference to users: what a deleted user has deleted is kept.
    .addColumn('user_id', 'integer')
    .addColumn('session', 'text')
    .addColumn('purge_at', 'integer')
    .addColumn('purged_by', 'integer')
    .execute();
  await database.schema.createIndex('kept_time').on('kept').columns(['purge_at', 'kept_at', 'id']).execute();
  await database.schema
    .createIndex('kept_user_time')
    .on('kept')
    .columns(['user_id', 'purge_at', 'kept_at', 'id'])
    .execute();
  await database.schema.createIndex('kept_place').on('kept').column('place').execute();

  await database.schema
    .createTable('ledgers')
    .addColumn('store', 'text', (column) => column.primaryKey())
    .addColumn('position', 'text', (column) => column.notNull())
    .execute();

  await database.schema.alterTable('shares').addColumn('kept_id', 'text').execute();
  await database.schema.createIndex('shares_kept_id').on('shares').column('kept_id').execute();
  await database.schema
    .alterTable('users')
    .addColumn('scope_since', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
