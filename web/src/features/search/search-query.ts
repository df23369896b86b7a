/** The file types that have a button (docs/reference/behaviour.md §2). */
export const searchTypes = ['image', 'audio', 'video', 'pdf'] as const;
export type SearchType = (typeof searchTypes)[number];

const typeToken = /(?:^|\s)type:(\S+)/gu;

/** Whether the query contains a type; `music` is a synonym of audio (docs/reference/filebrowser-api.md §1.10). */
export function hasType(query: string, type: SearchType): boolean {
  return [...query.matchAll(typeToken)].some(
    ([, word]) => word === type || (type === 'audio' && word === 'music'),
  );
}

/** Adds a type to the query, or removes it. */
export function toggleType(query: string, type: SearchType): string {
  if (!hasType(query, type)) return `type:${type} ${query.trimStart()}`;
  const without = query.replaceAll(typeToken, (token, word: string) =>
    word === type || (type === 'audio' && word === 'music') ? '' : token,
  );
  return without.trimStart();
}

/** A query, split as the server splits it (`parse-find.ts`). */
export interface QueryParts {
  /** The words and phrases that have to match. */
  readonly words: readonly string[];
  /** The words that must not be in the name. */
  readonly excluded: readonly string[];
  /** Operators with their values, such as `['ext', 'pdf']`. */
  readonly operators: readonly (readonly [name: string, value: string])[];
}

const token = /(-?)(?:"([^"]*)"|([a-z]+:"[^"]*"|\S+))/gu;
const operator = /^(ext|type|kind|size|larger|smaller|changed|before|after|in|case|tag):(?:"([^"]+)"|(.+))$/u;

/** Returns the parts of a query. */
export function queryParts(query: string): QueryParts {
  const words: string[] = [];
  const excluded: string[] = [];
  const operators: [string, string][] = [];
  for (const [whole, minus = '', phrase, plain = ''] of query.matchAll(token)) {
    const [, name, quoted, rest] = minus === '' && phrase === undefined ? (operator.exec(plain) ?? []) : [];
    const value = quoted ?? rest;
    const isCase = name === 'case' && value !== 'sensitive' && value !== 'insensitive';
    if (name !== undefined && value !== undefined && !isCase) operators.push([name, value]);
    else if (minus !== '' && (phrase ?? plain) !== '') excluded.push(phrase ?? plain);
    else {
      const word = phrase ?? (minus === '' ? plain : whole);
      if (word !== '') words.push(word);
    }
  }
  return { words, excluded, operators };
}

/** Returns the texts that are highlighted in names: the words of the query, and the parts of patterns between wildcards. */
export const highlightedTerms = (query: string): string[] =>
  queryParts(query).words.flatMap((word) => word.split(/[*?]+/u).filter((part) => part !== ''));

/** A query for the search that walks the folders, and the condition that its results have to meet. */
export interface WalkQuery {
  /** Finds names that contain any of the words. */
  readonly sent: string;
  /** Whether a result matches the whole query; `path` is relative to the searched folder. */
  readonly accepts: (path: string, isFolder: boolean) => boolean;
}

/**
 * Translates a query for servers without a catalogue, whose search finds names with any of the words: all words have to be
 * in the path, at least one of them in the name. Sizes and times are unknown there and do not restrict the results. A query with tags
 * or favorites finds nothing.
 */
export function toWalkQuery(query: string): WalkQuery {
  const { words, excluded, operators } = queryParts(query);
  const isCaseSensitive = operators.some(([name, value]) => name === 'case' && value === 'sensitive');
  const fold = (text: string): string => (isCaseSensitive ? text : text.toLowerCase());
  const extensions = operators.flatMap(([name, value]) => (name === 'ext' ? value.split(/[,;]/u) : []));
  const types = operators.flatMap(([name, value]) =>
    name === 'type' || (name === 'kind' && /^(?:image|video|audio|music)$/u.test(value)) ? [value] : [],
  );
  const kind = operators.findLast(([name]) => name === 'kind')?.[1];
  const needsMarks = operators.some(
    ([name, value]) => name === 'tag' || (name === 'in' && /^favou?rites$/u.test(value)),
  );
  const only = words.length === 1 ? words[0] : undefined;
  const sent = [
    ...types.map((type) => `type:${type}`),
    ...extensions.map((extension) => `type:${extension.replace(/^\./u, '')}`),
    ...(isCaseSensitive ? ['case:sensitive'] : []),
    ...(only?.includes(' ')
      ? [`"${only}"`]
      : words.flatMap((word) => word.split(/[*?\s]+/u)).filter((part) => part !== '')),
  ];
  const tests = words.map((word) => testOf(fold(word)));
  const excludedTexts = excluded.map(fold);
  return {
    sent: sent.join(' '),
    accepts: (path, isFolder) => {
      if (needsMarks) return false;
      if ((kind === 'folder' && !isFolder) || (kind === 'file' && isFolder)) return false;
      const names = fold(path).split('/');
      const name = names.at(-1) ?? '';
      return (
        !excludedTexts.some((text) => name.includes(text)) &&
        tests.every((test) => names.some(test)) &&
        (tests.length === 0 || tests.some((test) => test(name)))
      );
    },
  };
}

/** Returns the test of a word: contained in a name, or, with wildcards, matching the whole of it. */
function testOf(word: string): (name: string) => boolean {
  if (!/[*?]/u.test(word)) return (name) => name.includes(word);
  const source = word
    .replaceAll(/[.+^${}()|[\]\\]/gu, String.raw`\$&`)
    .replaceAll(/\*+/gu, '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`, 'su');
  return (name) => pattern.test(name);
}

/** A part of a name; `isHit` if it matches a term. */
export interface NamePart {
  /** The index of its first character. */
  readonly at: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** Returns a string of the same length without case and diacritics, as far as single characters allow. */
const foldEach = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => {
    const character = text.charAt(at);
    const [base = ''] = character.normalize('NFD').toLowerCase();
    return base.length === 1 ? base : character;
  }).join('');

/** Splits a name into matching and other parts, without regard to case and diacritics. */
export function highlightTerms(name: string, terms: readonly string[]): NamePart[] {
  const folded = foldEach(name);
  const isHit: boolean[] = Array.from({ length: name.length }, () => false);
  for (const term of terms) {
    const foldedTerm = foldEach(term);
    if (foldedTerm === '') continue;
    for (
      let at = folded.indexOf(foldedTerm);
      at >= 0;
      at = folded.indexOf(foldedTerm, at + foldedTerm.length)
    ) {
      isHit.fill(true, at, at + foldedTerm.length);
    }
  }
  const parts: NamePart[] = [];
  let start = 0;
  for (let end = 1; end <= name.length; end++) {
    if (end < name.length && isHit[end] === isHit[start]) continue;
    parts.push({ at: start, text: name.slice(start, end), isHit: isHit[start] ?? false });
    start = end;
  }
  return parts;
}
