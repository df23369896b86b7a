import type { Kysely } from 'kysely';

/** When users signed in last, which outlives their sessions. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('users').addColumn('last_sign_in_at', 'integer').execute();
}
