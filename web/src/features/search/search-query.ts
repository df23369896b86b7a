/** The kinds that have a box of their own (docs/reference/behaviour.md §2). */
export const searchTypes = ['image', 'audio', 'video', 'pdf'] as const;
export type SearchType = (typeof searchTypes)[number];

const typeToken = /(?:^|\s)type:(\S+)/gu;
const caseToken = /(?:^|\s)case:(?:sensitive|insensitive)(?=\s|$)/gu;

/** Whether the query asks for a type; `music` is another word for audio (docs/reference/filebrowser-api.md §1.10). */
export function hasType(query: string, type: SearchType): boolean {
  return [...query.matchAll(typeToken)].some(
    ([, word]) => word === type || (type === 'audio' && word === 'music'),
  );
}

/** Adds the type to the query, or takes it out. */
export function toggleType(query: string, type: SearchType): string {
  if (!hasType(query, type)) return `type:${type} ${query.trimStart()}`;
  const without = query.replaceAll(typeToken, (token, word: string) =>
    word === type || (type === 'audio' && word === 'music') ? '' : token,
  );
  return without.trimStart();
}

/** What names have to contain: the words of the query, or what stands in quotes as one (docs/reference/filebrowser-api.md §1.10). */
export function termsOf(query: string): string[] {
  const rest = query.replaceAll(typeToken, ' ').replaceAll(caseToken, ' ').trim();
  if (rest.length > 1 && rest.startsWith('"') && rest.endsWith('"')) return [rest.slice(1, -1)];
  return rest.split(' ').filter((term) => term !== '');
}

/** A piece of a name; `isHit` where a term was found. */
export interface NamePart {
  /** Where it begins. */
  readonly at: number;
  readonly text: string;
  readonly isHit: boolean;
}

/** Cuts a name where the terms were found, whatever their case. */
export function markTerms(name: string, terms: readonly string[]): NamePart[] {
  const lower = name.toLowerCase();
  // A few letters change their length in lower case; then nothing is marked rather than the wrong part.
  if (lower.length !== name.length) return [{ at: 0, text: name, isHit: false }];
  const isHit: boolean[] = Array.from({ length: name.length }, () => false);
  for (const term of terms) {
    const wanted = term.toLowerCase();
    if (wanted === '') continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      isHit.fill(true, at, at + wanted.length);
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
