import type { Entry } from '../../storage/storage.ts';

/**
 * The entity tag of a file: its modification time in nanoseconds and its size, both hexadecimal
 * (docs/reference/filebrowser-api.md §1.6).
 */
export const entityTagOf = (entry: Pick<Entry, 'modifiedNs' | 'size'>): string =>
  `"${entry.modifiedNs.toString(16)}${entry.size.toString(16)}"`;

const tagPattern = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Whether a header such as `If-Match` matches `tag`. `*` matches every tag. The strong comparison (RFC 9110
 * §8.8.3.2) ignores weak tags.
 */
export function matchesTag(header: string, tag: string, comparison: 'strong' | 'weak'): boolean {
  if (header.trim() === '*') return true;
  for (const [, weak, listed] of header.matchAll(tagPattern)) {
    if (listed === tag && (weak === undefined || comparison === 'weak')) return true;
  }
  return false;
}
