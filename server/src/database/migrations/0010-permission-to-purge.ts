import { type Kysely, sql } from 'kysely';

interface Tables {
  users: { may_delete: number; may_purge: number };
  settings: { id: number; value_json: string };
}

/** The settings as far as this migration reads them. */
interface StoredSettings {
  defaults?: { perm?: { delete?: boolean; purge?: boolean } };
}

/** The permission to delete forever. Users with the permission to delete get it, and so do the defaults of new users. */
export async function up(database: Kysely<Tables>): Promise<void> {
  await database.schema
    .alterTable('users')
    .addColumn('may_purge', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await database
    .updateTable('users')
    .set({ may_purge: sql<number>`may_delete` })
    .execute();
  const row = await database.selectFrom('settings').select('value_json').executeTakeFirst();
  if (row === undefined) return;
  const settings = JSON.parse(row.value_json) as StoredSettings;
  const perm = settings.defaults?.perm;
  if (perm?.delete === undefined) return;
  perm.purge = perm.delete;
  await database
    .updateTable('settings')
    .set({ value_json: JSON.stringify(settings) })
    .execute();
}
