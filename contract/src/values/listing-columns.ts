import { entryTypes } from './entry-types.ts';

/** The fields of an entry that columns are sorted by. */
export interface SortFields {
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
  readonly type: (typeof entryTypes)[number];
}

/** The order of one column of a listing. */
export interface ColumnOrder {
  /** Returns the number that an entry is sorted by; null sorts by name. Equal numbers are in ascending name order. */
  readonly sortNumber: ((entry: SortFields) => number) | null;
  /** The direction of `asc: false` in the API, which is that of the first click. */
  readonly defaultDirection: 'ascending' | 'descending';
  /**
   * The position of folders in the server's JSON listing: before the files in both directions, among them, or as if each
   * were smaller than any file. The page always shows folders first; in `smaller` columns they are in name order.
   */
  readonly folders: 'first' | 'mixed' | 'smaller';
}

/** Returns the position of a type among the kinds: folders, texts, images, audio, video, PDF, other files, broken links. */
const kindNumber = (type: SortFields['type']): number =>
  entryTypes.indexOf(type === 'textImmutable' ? 'text' : type);

/**
 * The columns of a listing, in the order in which they are shown: sort keys of the API and the command line, the
 * server's order, header, rows and sort menus read this table. A new column is an entry here, its cell in
 * `web/src/features/files/listing/columns.tsx` and its texts.
 */
const columns = {
  name: { sortNumber: null, defaultDirection: 'ascending', folders: 'first' },
  kind: { sortNumber: ({ type }) => kindNumber(type), defaultDirection: 'ascending', folders: 'mixed' },
  size: { sortNumber: ({ size }) => size, defaultDirection: 'descending', folders: 'smaller' },
  modified: { sortNumber: ({ modifiedMs }) => modifiedMs, defaultDirection: 'descending', folders: 'mixed' },
} as const satisfies Record<string, ColumnOrder>;

export type ColumnKey = keyof typeof columns;
export const listingColumns: Readonly<Record<ColumnKey, ColumnOrder>> = columns;
/** Never empty: the first key is `name`. */
export const columnKeys = Object.keys(columns) as [ColumnKey, ...ColumnKey[]];

/** Whether a sorting as in the API, where `asc: false` means the default direction, goes from small to large or A to Z. */
export const isAscending = ({ by, asc }: { by: ColumnKey; asc: boolean }): boolean =>
  asc === (listingColumns[by].defaultDirection === 'descending');
