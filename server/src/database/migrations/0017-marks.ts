import type { Kysely } from 'kysely';

/** Favorites, tags and recent entries of users. They refer to the tree of places, whose rows get the identity of their entry. */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Whether the entry is a folder; null for a place that no mark needs.
  for (const [column, type] of [
    ['is_folder', 'integer'],
    ['device', 'text'],
    ['inode', 'text'],
    ['born_ns', 'text'],
    ['gone_at', 'integer'],
  ] as const) {
    await database.schema.alterTable('places').addColumn(column, type).execute();
  }
  await database.schema.createIndex('places_inode').on('places').column('inode').execute();
  await database.schema.createIndex('places_gone').on('places').column('gone_at').execute();

  await database.schema
    .createTable('marks')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('tag_key', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('act', 'text')
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('at', 'integer', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('marks_entry')
    .unique()
    .on('marks')
    .columns(['user_id', 'place', 'kind', 'tag_key'])
    .execute();
  await database.schema
    .createIndex('marks_user_kind')
    .on('marks')
    .columns(['user_id', 'kind', 'tag_key', 'at'])
    .execute();
  await database.schema.createIndex('marks_place').on('marks').column('place').execute();

  await database.schema
    .createTable('mark_options')
    .addColumn('user_id', 'integer', (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('records_recents', 'integer', (column) => column.notNull())
    .execute();
}
