import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { Transaction } from 'kysely';
import type { Tables } from '../schema.ts';

/**
 * Lets the links of a user whose scope changes lead where they led before, and ends those to what the user no longer reaches:
 * a link to `/docs` must not begin to show another folder of that name.
 */
export async function rescopeShares(
  transaction: Transaction<Tables>,
  userId: number,
  before: string,
  after: string,
): Promise<void> {
  const from = parsePath(before).path;
  const to = parsePath(after).path;
  if (from === to) return;
  const shares = await transaction
    .selectFrom('shares')
    .select(['hash', 'path'])
    .where('user_id', '=', userId)
    .execute();
  for (const { hash, path } of shares) {
    // Only paths go in.
    const served = joinPaths(from, path as VirtualPath);
    await (isAtOrBelow(served, to)
      ? transaction
          .updateTable('shares')
          .set({ path: relativeTo(served, to) })
          .where('hash', '=', hash)
          .execute()
      : transaction.deleteFrom('shares').where('hash', '=', hash).execute());
  }
}
