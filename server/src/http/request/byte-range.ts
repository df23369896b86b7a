/** A part of a file: first and last byte, both included (RFC 9110 §14.1.2). */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part of a file of `size` bytes that a `Range` header asks for. `null` means the whole file: the header is malformed,
 * speaks of another unit, or names several ranges (which a server may ignore, RFC 9110 §14.2).
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

/** Most parts of one answer; whoever asks for more gets the whole file. */
const maxRanges = 16;

/**
 * The parts of a file of `size` bytes that a `Range` header asks for, in the order it names them. Like {@link parseRange}
 * for a single one. Of several, those behind the end do not count; when they are too many or overlap, which only costs
 * more than the whole file, they are ignored (RFC 9110 §14.2, §15.3.7.2).
 */
export function parseRanges(header: string, size: number): readonly ByteRange[] | 'unsatisfiable' | null {
  const [unit = '', list = ''] = header.split('=', 2);
  const wanted = list.split(',').filter((text) => text.trim() !== '');
  if (wanted.length > maxRanges || header.indexOf('=') !== header.lastIndexOf('=')) return null;
  const ranges: ByteRange[] = [];
  for (const text of wanted) {
    const range = parseRange(`${unit}=${text}`, size);
    if (range === null) return null;
    if (range !== 'unsatisfiable') ranges.push(range);
  }
  if (ranges.length === 0) return wanted.length === 0 ? null : 'unsatisfiable';
  const inOrder = ranges.toSorted((a, b) => a.first - b.first);
  const overlap = inOrder.some((range, index) => range.first <= (inOrder[index - 1]?.last ?? -1));
  return overlap ? null : ranges;
}
