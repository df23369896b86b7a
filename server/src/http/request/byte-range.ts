/** A byte range of a file; both ends are included (RFC 9110 §14.1.2). */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a `Range` header for a file of `size` bytes. `null` means the whole file: the header is malformed,
 * uses another unit, or contains several ranges (which a server may ignore, RFC 9110 §14.2).
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header.trim());
  if (!match) return null;
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return null;
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (last < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
}

/** Maximum number of ranges per response; for more, the whole file is sent. */
const maxRanges = 16;

/**
 * Parses a `Range` header with one or more ranges for a file of `size` bytes, in the order given. A single
 * range is treated like in {@link parseRange}. Of several, those beyond the end are skipped; too many or
 * overlapping ones are ignored, because they would cost more than the whole file (RFC 9110 §14.2, §15.3.7.2).
 */
export function parseRanges(header: string, size: number): readonly ByteRange[] | 'unsatisfiable' | null {
  const [unit = '', list = ''] = header.split('=', 2);
  const rangeTexts = list.split(',').filter((text) => text.trim() !== '');
  if (rangeTexts.length > maxRanges || header.indexOf('=') !== header.lastIndexOf('=')) return null;
  const ranges: ByteRange[] = [];
  for (const text of rangeTexts) {
    const range = parseRange(`${unit}=${text}`, size);
    if (range === null) return null;
    if (range !== 'unsatisfiable') ranges.push(range);
  }
  if (ranges.length === 0) return rangeTexts.length === 0 ? null : 'unsatisfiable';
  const inOrder = ranges.toSorted((a, b) => a.first - b.first);
  const overlap = inOrder.some((range, index) => range.first <= (inOrder[index - 1]?.last ?? -1));
  return overlap ? null : ranges;
}
