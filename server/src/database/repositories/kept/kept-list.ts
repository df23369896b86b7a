import { type Kysely, sql, type SqlBool } from 'kysely';
import type { Tables } from '../../schema.ts';
import type { ListedKept, PlacedKept, TrashRepository } from '../../trash-repository.ts';
import { below, inPieces, PlaceTree } from '../place-tree.ts';
import { selectRows } from './json-rows.ts';
import { isDeletion, withPlaces, selectVisible } from './kept-rows.ts';

/** The part of the repository that finds and lists entries. */
export type KeptList = Pick<TrashRepository, 'find' | 'findAll' | 'list' | 'count'>;

/** Creates the list of the entries in `database`. */
export function openKeptList(database: Kysely<Tables>): KeptList {
  return {
    async find(id) {
      const row = await database
        .selectFrom('kept')
        .selectAll()
        .where('id', '=', id)
        .where(isDeletion)
        .where('purge_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? null : ((await withPlaces(database, [row]))[0] ?? null);
    },
    async findAll(ids) {
      const found: PlacedKept[] = [];
      for (const piece of inPieces(ids)) {
        const rows = await database.selectFrom('kept').selectAll().where('id', 'in', piece).execute();
        found.push(...(await withPlaces(database, rows)));
      }
      return found;
    },
    async list({ after, limit, ...filter }, knownPaths) {
      let query = selectVisible(database, filter)
        .select(['id', 'place', 'name', 'kind', 'size', 'modified_ns', 'kept_at', 'user_id'])
        .orderBy('kept_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (after !== undefined) {
        query = query.where(sql<SqlBool>`(kept_at, id) < (${after.keptAt}, ${after.id})`);
      }
      const rows = await selectRows(database, query);
      const places = await new PlaceTree(database).pathsOf(
        rows.map(({ place }) => place),
        knownPaths,
      );
      return rows.map(({ id, place, name, kind, size, modified_ns, kept_at, user_id }) => {
        const folder = places.get(place);
        if (folder === undefined) throw new Error('the place of a deleted entry is unknown');
        return {
          id,
          kind: kind as ListedKept['kind'],
          size,
          modifiedNs: modified_ns,
          keptAt: kept_at,
          act: 'delete',
          userId: user_id,
          place: below(folder.path, name),
          parentId: folder.keptId,
        };
      });
    },
    async count(filter) {
      const { count } = await selectVisible(database, filter)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
