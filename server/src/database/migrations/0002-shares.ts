import type { Kysely } from 'kysely';

/** Shares. They are removed with their owner. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('shares')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('is_folder', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('shares_user_id_path')
    .on('shares')
    .columns(['user_id', 'path'])
    .execute();
  await database.schema
    .createIndex('shares_in_order')
    .on('shares')
    .columns(['user_id', 'expires_at', 'created_at', 'hash'])
    .execute();
  await database.schema.createIndex('shares_expires_at').on('shares').column('expires_at').execute();
}
