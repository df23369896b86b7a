import type { Kysely, Selectable } from 'kysely';
import type { RecentAct, StoredMark } from '../../mark-repository.ts';
import type { MarkRow, PlaceRow, Tables } from '../../schema.ts';
import { PlaceTree } from '../place-tree.ts';

type JoinedRow = Pick<Selectable<MarkRow>, 'place' | 'tag' | 'act' | 'at'> &
  Pick<Selectable<PlaceRow>, 'is_folder' | 'gone_at'>;

/** Adds the current paths to rows. */
export async function withPaths(database: Kysely<Tables>, rows: readonly JoinedRow[]): Promise<StoredMark[]> {
  const paths = await new PlaceTree(database).pathsOf(rows.map(({ place }) => place));
  return rows.map(({ place, tag, act, at, is_folder, gone_at }) => {
    const found = paths.get(place);
    if (found === undefined) throw new Error('the place of a mark is unknown');
    return {
      place,
      path: found.path,
      keptId: found.keptId,
      isFolder: is_folder === 1,
      goneAt: gone_at,
      tag,
      // The column contains no other values.
      act: act as RecentAct | null,
      at,
    };
  });
}
