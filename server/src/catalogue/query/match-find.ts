import { mediaTypeOfExtension } from '../../media-types/media-type.ts';
import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { foldName } from '../names/fold-name.ts';
import type { FindQuery, FindWord } from './parse-find.ts';

/** An entry that may match a query. */
export interface FindCandidate {
  readonly name: string;
  /** The names of the folders between the searched folder and the entry. */
  readonly above: readonly string[];
  readonly kind: 'file' | 'folder' | 'special' | 'link';
  /** Bytes. */
  readonly size: number;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * Whether `text` as a whole matches a pattern with `*` and `?`. The parts between stars are found from left to right, so that
 * the time is linear in the length of the text for each part.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const characters = Array.from(text);
  const parts = pattern.split('*').map((part) => Array.from(part));
  const matchesAt = (part: readonly string[], position: number): boolean =>
    position + part.length <= characters.length &&
    part.every((letter, i) => letter === '?' || letter === characters[position + i]);
  const [first = [], ...rest] = parts;
  if (rest.length === 0) return characters.length === first.length && matchesAt(first, 0);
  if (!matchesAt(first, 0)) return false;
  const last = rest.pop() ?? [];
  let position = first.length;
  for (const part of rest) {
    while (!matchesAt(part, position)) if (++position > characters.length) return false;
    position += part.length;
  }
  return position <= characters.length - last.length && matchesAt(last, characters.length - last.length);
}

/** Whether a word of a query is in a name. `folded` is the folded name. */
export function hasWord(word: FindWord, name: string, folded: string, isCaseSensitive: boolean): boolean {
  if (word.isPattern)
    return isCaseSensitive ? matchesPattern(word.typed, name) : matchesPattern(word.text, folded);
  return isCaseSensitive
    ? name.normalize('NFC').includes(word.typed.normalize('NFC'))
    : folded.includes(word.text);
}

const knownTypes = new Map<string, string>();

/** The media type of an extension, cached because few extensions are used. */
function typeOf(extension: string): string {
  let type = knownTypes.get(extension);
  if (type === undefined) {
    if (knownTypes.size > 4096) knownTypes.clear();
    type = mediaTypeOfExtension(extension) ?? '';
    knownTypes.set(extension, type);
  }
  return type;
}

/** Whether the name has one of the types and extensions of the query. */
function hasType({ media, extensions }: FindQuery, name: string): boolean {
  if (media.length === 0 && extensions.length === 0) return true;
  const extension = extensionOf(name).toLowerCase();
  return (
    extensions.some((accepted) => extension === `.${accepted}`) ||
    media.some((kind) => typeOf(extension).startsWith(`${kind}/`))
  );
}

/** Whether an entry passes all restrictions of a query besides its words. */
export function passesFilters(
  query: FindQuery,
  { name, kind, size, time }: Pick<FindCandidate, 'name' | 'kind' | 'size' | 'time'>,
): boolean {
  if (query.kind !== null && query.kind !== kind) return false;
  if (query.size !== null && (kind !== 'file' || size < query.size[0] || size > query.size[1])) return false;
  if (query.changed !== null && (time < query.changed[0] || time > query.changed[1])) return false;
  const isFiltered = query.media.length + query.extensions.length > 0;
  if (isFiltered && (kind !== 'file' || !hasType(query, name))) return false;
  const folded = query.excluded.length > 0 ? foldName(name) : '';
  return !query.excluded.some((word) => hasWord(word, name, folded, query.isCaseSensitive));
}

/** Whether a query has restrictions besides its words. */
export const hasFilters = (query: FindQuery): boolean =>
  query.kind !== null ||
  query.size !== null ||
  query.changed !== null ||
  query.media.length + query.extensions.length + query.excluded.length > 0;

/** Whether an entry matches a query. Defines a match: the scan of the catalogue must find exactly these entries. */
export function matchesFind(query: FindQuery, candidate: FindCandidate): boolean {
  const { name, above } = candidate;
  const folded = foldName(name);
  const isIn = (word: FindWord, text: string, foldedText: string): boolean =>
    hasWord(word, text, foldedText, query.isCaseSensitive);
  const own = query.words.map((word) => isIn(word, name, folded));
  if (query.words.length > 0 && !own.includes(true)) return false;
  const isComplete = query.words.every(
    (word, i) => own[i] === true || above.some((folder) => isIn(word, folder, foldName(folder))),
  );
  return isComplete && passesFilters(query, candidate);
}
