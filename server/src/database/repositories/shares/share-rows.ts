import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely';
import type { ShareRow, Tables } from '../../schema.ts';
import type { StoredShare } from '../../stored-share.ts';

/** Returns the share that a row stores. */
export const shareOf = (row: Selectable<ShareRow>): StoredShare => ({
  hash: row.hash,
  userId: row.user_id,
  // The column only contains paths.
  path: row.path as VirtualPath,
  isFolder: row.is_folder === 1,
  expiresAt: row.expires_at,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  visits: row.visits,
});

/**
 * Condition for paths at or below `folder`, as ranges that can use the index. `0` is the character after the
 * slash.
 */
export const atOrBelow =
  (folder: VirtualPath) =>
  (where: ExpressionBuilder<Tables, 'shares'>): ExpressionWrapper<Tables, 'shares', SqlBool> => {
    const prefix = folder === '/' ? '' : folder;
    return where.or([
      where('path', '=', folder),
      where.and([where('path', '>=', `${prefix}/`), where('path', '<', `${prefix}0`)]),
    ]);
  };
