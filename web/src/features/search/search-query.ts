/** The file types that have a button (docs/reference/behaviour.md §2). */
export const searchTypes = ['image', 'audio', 'video', 'pdf'] as const;
export type SearchType = (typeof searchTypes)[number];

const typeToken = /(?:^|\s)type:(\S+)/gu;
const caseToken = /(?:^|\s)case:(?:sensitive|insensitive)(?=\s|$)/gu;

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

/**
 * Returns the terms that names have to contain: the words of the query, or a quoted phrase
 * (docs/reference/filebrowser-api.md §1.10).
 */
export function toTerms(query: string): string[] {
  const rest = query.replaceAll(typeToken, ' ').replaceAll(caseToken, ' ').trim();
  if (rest.length > 1 && rest.startsWith('"') && rest.endsWith('"')) return [rest.slice(1, -1)];
  return rest.split(' ').filter((term) => term !== '');
}

/** A part of a name; `isHit` if it matches a term. */
export interface NamePart {
  /** The index of its first character. */
  readonly at: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** Splits a name into matching and other parts, case-insensitively. */
export function markTerms(name: string, terms: readonly string[]): NamePart[] {
  const lower = name.toLowerCase();
  // A few characters change their length in lower case; then nothing is marked instead of a wrong part.
  if (lower.length !== name.length) return [{ at: 0, text: name, isHit: false }];
  const isHit: boolean[] = Array.from({ length: name.length }, () => false);
  for (const term of terms) {
    const lowerTerm = term.toLowerCase();
    if (lowerTerm === '') continue;
    for (let at = lower.indexOf(lowerTerm); at >= 0; at = lower.indexOf(lowerTerm, at + lowerTerm.length)) {
      isHit.fill(true, at, at + lowerTerm.length);
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
