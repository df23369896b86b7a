import { type Kysely, sql } from 'kysely';

/** Origin of sessions, settings of users of newer clients, and the authentication method. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const name of ['address', 'user_agent']) {
    await database.schema
      .alterTable('sessions')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await database.schema
    .alterTable('users')
    .addColumn('redirect_after_copy_move', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema
    .alterTable('users')
    .addColumn('editor_theme', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await database.schema
    .createTable('auth_method')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('value_json', 'text', (column) => column.notNull())
    .execute();
}
