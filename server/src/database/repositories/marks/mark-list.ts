import { keyOfTag } from '@filestead/contract/values/tag-key';
import type { Kysely } from 'kysely';
import type { EntryMarks, MarkRepository } from '../../mark-repository.ts';
import type { Tables } from '../../schema.ts';
import { inPieces, PlaceTree } from '../place-tree.ts';
import { withPaths } from './mark-rows.ts';

/** The part of the repository that reads the marks of a user. */
export type MarkList = Pick<MarkRepository, 'list' | 'tagsOf' | 'marksAt' | 'inFolder'>;

/** Creates the list of the marks in `database`. */
export function openMarkList(database: Kysely<Tables>): MarkList {
  const joined = (userId: number) =>
    database
      .selectFrom('marks')
      .innerJoin('places', 'places.id', 'marks.place')
      .select(['marks.place', 'marks.tag', 'marks.act', 'marks.at', 'places.is_folder', 'places.gone_at'])
      .where('user_id', '=', userId);

  return {
    async list(userId, kind, tag) {
      let query = joined(userId).where('kind', '=', kind);
      if (tag !== undefined) query = query.where('tag_key', '=', keyOfTag(tag));
      const ordered =
        kind === 'favorite'
          ? query.orderBy('position').orderBy('marks.id')
          : query.orderBy('at', 'desc').orderBy('marks.id', 'desc');
      return withPaths(database, await ordered.execute());
    },
    async tagsOf(userId) {
      const rows = await database
        .selectFrom('marks')
        .select((select) => ['tag_key', select.fn.min<string>('tag').as('tag')])
        .where('user_id', '=', userId)
        .where('kind', '=', 'tag')
        .groupBy('tag_key')
        .orderBy('tag_key')
        .execute();
      return rows.map(({ tag }) => tag);
    },
    async marksAt(userId, places) {
      const found = new Map<number, { isFavorite: boolean; tags: string[] }>();
      for (const piece of inPieces(places)) {
        const rows = await database
          .selectFrom('marks')
          .select(['place', 'kind', 'tag'])
          .where('user_id', '=', userId)
          .where('kind', '!=', 'recent')
          .where('place', 'in', piece)
          .orderBy('id')
          .execute();
        for (const { place, kind, tag } of rows) {
          const marks = found.get(place) ?? { isFavorite: false, tags: [] };
          found.set(place, marks);
          if (kind === 'favorite') marks.isFavorite = true;
          else marks.tags.push(tag);
        }
      }
      return found satisfies ReadonlyMap<number, EntryMarks>;
    },
    async inFolder(userId, folder, keyAt) {
      const parent = await new PlaceTree(database).find(folder, keyAt(folder));
      if (parent === null) return [];
      const rows = await joined(userId)
        .where('kind', '!=', 'recent')
        .where('places.parent', '=', parent)
        .execute();
      const first = new Map(rows.map((row) => [row.place, row]));
      return withPaths(database, [...first.values()]);
    },
  };
}
