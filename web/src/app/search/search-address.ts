import {
  encodePath,
  parseEncodedPath,
  parsePath,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { isFindSort, type FindSort } from '@filestead/contract/values/find-sorts';
import { maxFindQuery, maxFindRows } from '@filestead/contract/values/limits';
import type { FindRequest } from '../../features/search/find-entries.ts';

const prefix = '/search';

/** The kinds of entries that can be chosen, with their operators. */
export const kindOperators = {
  folder: 'kind:folder',
  file: 'kind:file',
  image: 'type:image',
  video: 'type:video',
  audio: 'type:audio',
  pdf: 'ext:pdf',
  document: 'ext:doc,docx,odt,rtf,pages,txt,md,pdf',
  sheet: 'ext:xls,xlsx,ods,csv,numbers',
  slides: 'ext:ppt,pptx,odp,key',
  archive: 'ext:zip,7z,rar,tar,gz,tgz,bz2,xz,zst',
} as const;
/** The times of change that can be chosen, with their operators. */
export const dateOperators = {
  today: 'changed:today',
  week: 'changed:<7d',
  month: 'changed:<30d',
  year: 'changed:<365d',
  older: 'changed:>365d',
} as const;
/** The sizes that can be chosen, with their operators. */
export const sizeOperators = {
  small: 'size:<1M',
  medium: 'size:1M..100M',
  large: 'size:>100M',
  huge: 'size:>1G',
} as const;

export type KindFilter = keyof typeof kindOperators;
export type DateFilter = keyof typeof dateOperators;
export type SizeFilter = keyof typeof sizeOperators;

/** The subjects of a search: names and the text of documents, or only one of them. */
export const searchParts = ['all', 'names', 'contents'] as const;
export type SearchPart = (typeof searchParts)[number];
/** The kinds of entries whose text can be searched. */
export const contentKinds: readonly KindFilter[] = ['document', 'pdf', 'sheet', 'slides'];

/** A search as its address describes it. */
export interface Search {
  readonly query: string;
  /** The folder from which the search was started. */
  readonly from: VirtualPath;
  /** Whether only that folder is searched. */
  readonly isHere: boolean;
  readonly part: SearchPart;
  readonly kind: KindFilter | null;
  readonly date: DateFilter | null;
  readonly size: SizeFilter | null;
  /** A tag of the user. */
  readonly tag: string | null;
  /** Whether only favorites are searched. */
  readonly isFavorite: boolean;
  readonly sort: FindSort;
  /** Whether the order is the reverse of the usual one. */
  readonly isReversed: boolean;
}

export const emptySearch: Search = {
  query: '',
  from: rootPath,
  isHere: false,
  part: 'all',
  kind: null,
  date: null,
  size: null,
  tag: null,
  isFavorite: false,
  sort: 'rank',
  isReversed: false,
};

const chosen = <Key extends string>(table: Readonly<Record<Key, string>>, value: string | null): Key | null =>
  value !== null && Object.hasOwn(table, value) ? (value as Key) : null;

function folderOf(text: string | null): VirtualPath {
  try {
    return text === null ? rootPath : parsePath(text).path;
  } catch {
    return rootPath;
  }
}

/** Returns the search that the parameters of an address describe; unknown values count as absent. */
export function searchOf(parameters: URLSearchParams): Search {
  const from = folderOf(parameters.get('from'));
  const sort = parameters.get('sort');
  return {
    query: parameters.get('query') ?? '',
    from,
    isHere: from !== '/' && parameters.get('in') === 'here',
    part: searchParts.find((part) => part === parameters.get('part')) ?? 'all',
    kind: chosen(kindOperators, parameters.get('kind')),
    date: chosen(dateOperators, parameters.get('date')),
    size: chosen(sizeOperators, parameters.get('size')),
    tag: parameters.get('tag') || null,
    isFavorite: parameters.get('marked') === 'favorites',
    sort: isFindSort(sort) ? sort : 'rank',
    isReversed: parameters.get('order') === 'reverse',
  };
}

/** Returns the address of a search, and of a file that is opened from its results. */
export function searchAddress(search: Search, file: VirtualPath | null = null): string {
  const { query, from, isHere, part, kind, date, size, tag, isFavorite, sort, isReversed } = search;
  const parameters = new URLSearchParams({
    ...(query !== '' && { query }),
    ...(from !== '/' && { from }),
    ...(isHere && { in: 'here' }),
    ...(part !== 'all' && { part }),
    ...(kind && { kind }),
    ...(date && { date }),
    ...(size && { size }),
    ...(tag && { tag }),
    ...(isFavorite && { marked: 'favorites' }),
    ...(sort !== 'rank' && { sort }),
    ...(isReversed && { order: 'reverse' }),
  });
  const suffix = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return `${prefix}${file === null ? '' : encodePath(file)}${suffix}`;
}

/** Returns the opened file of an address below the page of results, null without one, undefined for an invalid address. */
export function openedFileOf(pathname: string): VirtualPath | null | undefined {
  if (pathname === prefix || pathname === `${prefix}/`) return null;
  try {
    const { path } = parseEncodedPath(pathname.slice(prefix.length));
    return path;
  } catch {
    return undefined;
  }
}

/** Whether a search is restricted by more than its words. */
export const isFiltered = ({ kind, date, size, tag, isFavorite }: Search): boolean =>
  kind !== null || date !== null || size !== null || tag !== null || isFavorite;

/** Returns a search without its restrictions besides the words and the folder. */
export const withoutFilters = (search: Search): Search => ({
  ...search,
  kind: null,
  date: null,
  size: null,
  tag: null,
  isFavorite: false,
});

/** Returns the request for a search; null if it has neither words nor restrictions. */
export function requestOf(search: Search): FindRequest | null {
  const { query, from, isHere, kind, date, size, tag, isFavorite, sort, isReversed } = search;
  const operators = [
    kind && kindOperators[kind],
    date && dateOperators[date],
    size && sizeOperators[size],
    // A quote cannot be written within quotes.
    tag && `tag:"${tag.replaceAll('"', '')}"`,
    isFavorite ? 'in:favorites' : '',
    query.trim(),
  ].filter((part) => part !== null && part !== '');
  if (operators.length === 0) return null;
  const isNormallyAscending = sort === 'name';
  return {
    folder: isHere ? from : rootPath,
    query: operators.join(' ').slice(0, maxFindQuery),
    near: from,
    limit: maxFindRows,
    sort,
    ...(isReversed && sort !== 'rank' && { order: isNormallyAscending ? 'desc' : 'asc' }),
  };
}
