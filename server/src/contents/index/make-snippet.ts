import type { ContentTerm } from './content-query.ts';
import { type TextWord, wordsOf } from './fold-text.ts';

/** A part of a document around the words that were searched for. */
export interface Snippet {
  readonly text: string;
  /** The parts that match, as [start, end) in UTF-16 code units, in ascending order and without overlaps. */
  readonly matches: readonly (readonly [start: number, end: number])[];
}

/** The length of a snippet in UTF-16 code units, and the part of it in front of the first match. */
const snippetLength = 180;
const leadLength = 50;
/** The maximum number of matches that are compared for the best part. */
const maxMatches = 500;

interface Match {
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** Yields the matches of the terms in a text. */
function* matchesIn(text: string, terms: readonly ContentTerm[]): Generator<Match> {
  const longest = Math.max(...terms.map(({ words }) => words.length));
  /** The last words, as many as the longest phrase has. */
  const recent: TextWord[] = [];
  for (const word of wordsOf(text)) {
    recent.push(word);
    if (recent.length > longest) recent.shift();
    for (const [term, { words, isPrefix }] of terms.entries()) {
      const first = recent.length - words.length;
      if (first < 0) continue;
      const isMatch = words.every((expected, i) => {
        const found = recent[first + i]?.text ?? '';
        return isPrefix && i === words.length - 1 ? found.startsWith(expected) : found === expected;
      });
      if (isMatch) yield { term, start: recent[first]?.start ?? word.start, end: word.end };
    }
  }
}

/** Returns the position of the part with most of the terms; null if none occurs. */
function bestStart(text: string, terms: readonly ContentTerm[]): number | null {
  const matches: Match[] = [];
  const found = new Set<number>();
  for (const match of matchesIn(text, terms)) {
    matches.push(match);
    found.add(match.term);
    if (matches.length >= maxMatches && found.size === terms.length) break;
    if (matches.length >= maxMatches * 4) break;
  }
  let best: Match | null = null;
  let most = 0;
  for (const [i, match] of matches.entries()) {
    const near = new Set<number>();
    for (let j = i; j < matches.length; j++) {
      const other = matches[j] as Match;
      if (other.end > match.start + snippetLength - leadLength) break;
      near.add(other.term);
    }
    if (near.size > most) {
      most = near.size;
      best = match;
    }
    if (most === terms.length) break;
  }
  return best?.start ?? null;
}

/** Moves a position to the beginning of the word that contains it, within a few characters. */
function wordStart(text: string, position: number): number {
  for (let at = position; at > Math.max(0, position - 20); at--)
    if (/\s/.test(text.charAt(at - 1))) return at;
  return /[\uDC00-\uDFFF]/.test(text.charAt(position)) ? position + 1 : position;
}

/** Returns the part of a text around the best match; its beginning if no term occurs, such as in a text that was cut. */
export function makeSnippet(text: string, terms: readonly ContentTerm[]): Snippet {
  const match = bestStart(text, terms);
  const start = match === null || match <= leadLength ? 0 : wordStart(text, match - leadLength);
  // White space is collapsed, so a longer part is taken.
  const raw = text.slice(start, start + snippetLength * 3);
  const collapsed = raw.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  let end = Math.min(collapsed.length, snippetLength);
  if (end < collapsed.length) {
    const space = collapsed.lastIndexOf(' ', end);
    if (space > snippetLength / 2) end = space;
  }
  const shown = collapsed.slice(0, end).toWellFormed();
  const hasMore = end < collapsed.length || start + raw.length < text.length;
  const lead = start > 0 ? '… ' : '';
  const matches: [number, number][] = [];
  for (const { start: from, end: to } of matchesIn(shown, terms)) {
    const last = matches.at(-1);
    if (last !== undefined && from + lead.length < last[1]) last[1] = Math.max(last[1], to + lead.length);
    else matches.push([from + lead.length, to + lead.length]);
  }
  return { text: `${lead}${shown}${hasMore && shown !== '' ? ' …' : ''}`, matches };
}
