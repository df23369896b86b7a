import type { Database } from '../../database/database.ts';

/** Returns a function for cells of tables: the name of a user, or `-` for none and for a user that no longer exists. */
export async function usernameCells({
  users,
}: Pick<Database, 'users'>): Promise<(id: number | null) => string> {
  const names = new Map((await users.list()).map(({ id, username }) => [id, username]));
  return (id) => (id === null ? '-' : (names.get(id) ?? '-'));
}
