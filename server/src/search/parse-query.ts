import type { NamePattern } from '../storage/listings/name-pattern.ts';

const caseSensitive = 'case:sensitive';
const caseInsensitive = 'case:insensitive';

/** The words of `type:` that stand for many extensions; any other word is an extension itself. */
const mediaOfWord = new Map<string, NamePattern['media'][number]>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['music', 'audio'],
]);

/** What is between two double quotes, or the words between spaces. */
function termsOf(text: string): string[] {
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    const phrase = text.slice(1, -1);
    return phrase === '' ? [] : [phrase];
  }
  return text.split(' ').filter((term) => term !== '');
}

/** Reads a query in the language of the docs/reference/filebrowser-api.md §1.10. Nothing in it can be wrong. */
export function parseQuery(query: string): NamePattern {
  const types = [...query.matchAll(/type:(\w+)/g)].map(([, word = '']) => word);
  const text = query
    .replaceAll(caseInsensitive, '')
    .replaceAll(caseSensitive, '')
    .replaceAll(/type:\w+/g, '')
    .trim();
  return {
    terms: termsOf(text),
    isCaseSensitive: query.includes(caseSensitive),
    media: types.flatMap((word) => mediaOfWord.get(word) ?? []),
    extensions: types.filter((word) => !mediaOfWord.has(word)),
  };
}
