import type { Kysely } from 'kysely';

/** Adds folder uploads, and the properties of uploads that a client needs to continue them on another device. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const columns = [
    ['last_byte_at', 'integer'],
    ['modified_at', 'integer'],
    ['client_key', 'text'],
    ['folder_id', 'text'],
    ['folder_file', 'text'],
  ] as const;
  for (const [name, type] of columns)
    await database.schema.alterTable('uploads').addColumn(name, type).execute();
  await database.schema
    .createTable('folder_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('files', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('began_at', 'integer', (column) => column.notNull())
    .addColumn('used_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('folder_upload_files')
    .addColumn('folder_id', 'text', (column) => column.notNull())
    .addColumn('file', 'text', (column) => column.notNull())
    // The destination below that of the folder; null when it equals `file`.
    .addColumn('target', 'text')
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('modified_at', 'integer', (column) => column.notNull())
    .addColumn('begun_at', 'integer', (column) => column.notNull())
    .addColumn('has_arrived', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('folder_upload_files_primary', ['folder_id', 'file'])
    .execute();
}
