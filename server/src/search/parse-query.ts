import type { NamePattern } from '../storage/listings/name-pattern.ts';

const caseSensitive = 'case:sensitive';
const caseInsensitive = 'case:insensitive';

/** The values of `type:` that mean a media type; any other value is an extension. */
const mediaOfWord = new Map<string, NamePattern['media'][number]>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['music', 'audio'],
]);

/** Returns the phrase between double quotes as one term, or else the words between spaces. */
function parseTerms(text: string): string[] {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    const phrase = text.slice(1, -1);
    return phrase === '' ? [] : [phrase];
  }
  return text.split(' ').filter((term) => term !== '');
}

/** Parses a query in the syntax of docs/reference/filebrowser-api.md §1.10. Every text is a valid query. */
export function parseQuery(query: string): NamePattern {
  const types = [...query.matchAll(/type:(\w+)/g)].map(([, word = '']) => word);
  const text = query
    .replaceAll(caseInsensitive, '')
    .replaceAll(caseSensitive, '')
    .replaceAll(/type:\w+/g, '')
    .trim();
  return {
    terms: parseTerms(text),
    isCaseSensitive: query.includes(caseSensitive),
    media: types.flatMap((word) => mediaOfWord.get(word) ?? []),
    extensions: types.filter((word) => !mediaOfWord.has(word)),
  };
}
