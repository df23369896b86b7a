import type { Kysely } from 'kysely';
import type { ServerOptionsRepository } from '../database.ts';
import type { Tables } from '../schema.ts';

/** Creates the repository of start-up options in `database`. */
export function openServerOptionsRepository(database: Kysely<Tables>): ServerOptionsRepository {
  return {
    async read() {
      const rows = await database.selectFrom('server_options').selectAll().orderBy('name').execute();
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    },
    async write(options) {
      await database.deleteFrom('server_options').execute();
      for (const [name, value] of Object.entries(options)) {
        await database.insertInto('server_options').values({ name, value }).execute();
      }
    },
  };
}
