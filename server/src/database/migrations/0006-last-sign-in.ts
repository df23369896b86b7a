import type { Kysely } from 'kysely';

/** Time of the last sign-in, which is kept longer than sessions. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('users').addColumn('last_sign_in_at', 'integer').execute();
}
