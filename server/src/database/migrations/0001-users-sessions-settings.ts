import { type Kysely, sql } from 'kysely';

const flags = [
  'lock_password',
  'single_click',
  'may_administrate',
  'may_execute',
  'may_create',
  'may_rename',
  'may_modify',
  'may_delete',
  'may_share',
  'may_download',
  'sort_ascending',
  'hide_dotfiles',
  'exact_dates',
];
const texts = [
  'username',
  'username_key',
  'password_hash',
  'scope',
  'locale',
  'view_mode',
  'commands_json',
  'sort_by',
  'rules_json',
];

/** Users, their sessions and tokens, the settings and the secrets. */
export async function up(database: Kysely<unknown>): Promise<void> {
  let users = database.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement());
  for (const name of texts) users = users.addColumn(name, 'text', (column) => column.notNull());
  for (const name of flags) users = users.addColumn(name, 'integer', (column) => column.notNull());
  await users.addColumn('changed_at', 'integer', (column) => column.notNull()).execute();
  await database.schema
    .createIndex('users_username_key')
    .unique()
    .on('users')
    .column('username_key')
    .execute();

  await database.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_seen_at', 'integer', (column) => column.notNull())
    .addColumn('ends_at', 'integer', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('sessions_user_id').on('sessions').column('user_id').execute();

  await database.schema
    .createTable('tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('cookie_hash', 'text', (column) => column.notNull().unique())
    .addColumn('session_id', 'text', (column) =>
      column.notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('issued_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('superseded_at', 'integer')
    .execute();
  await database.schema.createIndex('tokens_session_id').on('tokens').column('session_id').execute();

  await database.schema
    .createTable('settings')
    .addColumn('id', 'integer', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('value_json', 'text', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
