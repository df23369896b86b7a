import type { FindQuery, FindWord } from '../../catalogue/query/parse-find.ts';
import { foldText, wordsOf } from './fold-text.ts';

/** A word or phrase that a document has to contain. */
export interface ContentTerm {
  /** The folded words of a phrase, in their order. */
  readonly words: readonly string[];
  /** Whether the last word may continue. */
  readonly isPrefix: boolean;
}

/** The words of a query that are searched in documents. */
export interface ContentQuery {
  readonly terms: readonly ContentTerm[];
  readonly excluded: readonly ContentTerm[];
}

/** The beginning of a word is searched from this number of characters on; shorter ones are whole words. */
const minPrefixLength = 3;

/** Returns the term of a word; null for one without letters and digits, and for patterns that do not end with their only star. */
function termOf({ text, isPattern, isPhrase }: FindWord): ContentTerm | null {
  const isBeginning = isPattern && /^[^*?]+\*$/.test(text);
  if (isPattern && !isBeginning) return null;
  const words = [...wordsOf(text)].map((word) => word.text);
  const last = words.at(-1);
  if (last === undefined) return null;
  return { words, isPrefix: isBeginning || (!isPhrase && Array.from(last).length >= minPrefixLength) };
}

/** Returns the terms of a query; null if it has none, or one that cannot be searched in documents. */
export function contentQueryOf({ words, excluded }: FindQuery): ContentQuery | null {
  const terms = words.map(termOf);
  const found = terms.filter((term) => term !== null);
  // A word of punctuation, such as a dash, is ignored; a pattern within words matches nothing.
  if (found.length === 0 || words.some(({ isPattern }, i) => isPattern && terms[i] === null)) return null;
  return { terms: found, excluded: excluded.map(termOf).filter((term) => term !== null) };
}

const expressionOf = ({ words, isPrefix }: ContentTerm): string =>
  `"${words.map((word) => foldText(word).replaceAll('"', ' ')).join(' ')}"${isPrefix ? ' *' : ''}`;

/** Returns the expression of SQLite’s full-text search (FTS5 §3). */
export function matchExpression({ terms, excluded }: ContentQuery): string {
  const all = terms.map(expressionOf).join(' AND ');
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(expressionOf).join(' OR ')})`;
}
