import type { FindRow } from '@filestead/contract/endpoints/find';
import { isAtOrBelow, joinPaths, relativeTo, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { keyOfTag } from '@filestead/contract/values/tag-key';
import type { FindQuery } from '../catalogue/query/parse-find.ts';
import type { EntryMarks } from '../database/mark-repository.ts';

/** Favorites and tags of a user by the place of the entry in the served folder. */
export type MarksByPlace = ReadonlyMap<VirtualPath, EntryMarks>;

/** The marks of a user on entries below a folder. Paths are from the folder, without a leading slash. */
export interface FolderMarks {
  /** Returns the properties of a row for the marks of an entry. */
  of(below: string): Pick<FindRow, 'favorite' | 'tags'>;
  /** Returns the entries to which the tags and favorites of a query restrict a search; null without such a restriction. */
  matching(query: FindQuery): readonly string[] | null;
}

/** Returns the marks below the folder at `place` of the served folder; null for a folder outside of it, which has none. */
export function marksBelow(marks: MarksByPlace, place: VirtualPath | null): FolderMarks {
  return {
    of(below) {
      const own = place === null ? undefined : marks.get(joinPaths(place, `/${below}` as VirtualPath));
      if (own === undefined) return {};
      return {
        ...(own.isFavorite && { favorite: true as const }),
        ...(own.tags.length > 0 && { tags: [...own.tags] }),
      };
    },
    matching({ tags, isFavorite }) {
      if (tags.length === 0 && !isFavorite) return null;
      if (place === null) return [];
      const wanted = tags.map((tag) => keyOfTag(tag.trim()));
      const found: string[] = [];
      for (const [path, own] of marks) {
        if (path === place || !isAtOrBelow(path, place) || (isFavorite && !own.isFavorite)) continue;
        const keys = new Set(own.tags.map(keyOfTag));
        if (wanted.every((tag) => keys.has(tag))) found.push(relativeTo(path, place).slice(1));
      }
      return found;
    },
  };
}
