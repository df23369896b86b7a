import type { Kysely } from 'kysely';

/** Resumable uploads, so that they can be continued after a restart and removed when abandoned. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No reference to users: the partial files of a deleted user must be found and removed first.
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('part_name', 'text', (column) => column.notNull())
    .addColumn('length', 'integer', (column) => column.notNull())
    .addColumn('stored', 'integer', (column) => column.notNull())
    .addColumn('overrides', 'integer', (column) => column.notNull())
    .addColumn('is_by_path', 'integer', (column) => column.notNull())
    .addColumn('is_finished', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('uploads_user_id').on('uploads').column('user_id').execute();
}
