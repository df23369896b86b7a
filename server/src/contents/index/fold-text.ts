import { foldName, isAscii } from '../../catalogue/names/fold-name.ts';

/** Scripts that are written without spaces between words: each character is a word of its own. */
const scripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Yi',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
];
const single = scripts.map((script) => `\\p{scx=${script}}`).join('');
const singleCharacter = new RegExp(`(?=[\\p{L}\\p{N}])[${single}]`, 'gu');
/** A word, or a character that is one. The index has the same words (the tokenizer unicode61 of SQLite). */
const word = new RegExp(
  `(?=[\\p{L}\\p{N}])[${single}]\\p{M}*|(?:(?![${single}])[\\p{L}\\p{N}\\p{Co}]\\p{M}*)+`,
  'gu',
);

/** The size of the parts in which a text is folded, in UTF-16 code units: normalization needs several times their size. */
const partLength = 64 * 1024;

/** Separates characters that are words from each other. */
const separate = (text: string): string => (isAscii(text) ? text : text.replaceAll(singleCharacter, ' $& '));

/** Yields a text in parts that end between two words, as far as there are any. */
function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + partLength, text.length);
    if (end < text.length) {
      const space = Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end));
      if (space > at) end = space;
      else if (/[\uDC00-\uDFFF]/.test(text.charAt(end))) end -= 1;
    }
    yield text.slice(at, end);
    at = end;
  }
}

/** Returns a text in the form of the index: folded as names are, with spaces between characters that are words. */
export function foldText(text: string): string {
  let folded = '';
  for (const part of partsOf(text)) folded += separate(foldName(part));
  return folded;
}

/** A word of a text and its position in UTF-16 code units. */
export interface TextWord {
  readonly start: number;
  readonly end: number;
  /** Folded. */
  readonly text: string;
}

/** Yields the words of a text in their order. */
export function* wordsOf(text: string): Generator<TextWord> {
  for (const match of text.matchAll(word)) {
    const [found] = match;
    yield { start: match.index, end: match.index + found.length, text: foldName(found) };
  }
}
