import {
  isAtOrBelow,
  joinPaths,
  parsePath,
  relativeTo,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import type { Transaction } from 'kysely';
import type { Tables } from '../../schema.ts';

/**
 * Keeps the shares of a user valid when the scope changes, and removes those outside the new scope: a share
 * of `/docs` must not show another folder of that name.
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
    // The column only contains paths.
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
