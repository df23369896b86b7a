import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema.ts';
import type { TrashRepository } from '../../trash-repository.ts';
import { inPieces } from '../place-tree.ts';
import { isDeletion } from './kept-rows.ts';

/** The part of the repository that compares the stores with the index. */
export type KnownEntries = Pick<TrashRepository, 'hasEntriesOf' | 'withBytes' | 'unknown' | 'deletedBy'>;

/** Creates the comparison of stores with the entries in `database`. */
export function openKnownEntries(database: Kysely<Tables>): KnownEntries {
  return {
    async hasEntriesOf(store) {
      const row = await database
        .selectFrom('kept')
        .select('id')
        .where('store', '=', store)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async withBytes(ids) {
      const unchanged = new Set<string>();
      for (const piece of inPieces(ids)) {
        const rows = await database
          .selectFrom('kept')
          .select('id')
          .where('id', 'in', piece)
          .where('unchanged', '<>', 0)
          .execute();
        for (const { id } of rows) unchanged.add(id);
      }
      return ids.filter((id) => !unchanged.has(id));
    },
    async deletedBy(operation, since) {
      const rows = await database
        .selectFrom('kept')
        .select(['id', 'original_path'])
        .where(isDeletion)
        .where('purge_at', 'is', null)
        .where('kept_at', '>=', since)
        .where('operation', '=', operation)
        .execute();
      // Only parsed paths are stored.
      return new Map(rows.map(({ id, original_path }) => [original_path as VirtualPath, id]));
    },
    async unknown(ids) {
      const known = new Set<string>();
      for (const piece of inPieces(ids)) {
        const rows = await database.selectFrom('kept').select('id').where('id', 'in', piece).execute();
        for (const { id } of rows) known.add(id);
      }
      return ids.filter((id) => !known.has(id));
    },
  };
}
