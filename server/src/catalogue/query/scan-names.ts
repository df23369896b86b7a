import { type Columns, noEntry } from '../columns/columns.ts';
import { maxScannedText } from '../names/plain-scan.ts';
import { matchClass, wordStart } from './rank.ts';

/** The bytes of names that are scanned between two checks for cancellation; they are still in the processor’s cache when hits are visited. */
const sliceBytes = 256 * 1024;

/** The names that are scanned: those of the entries of some intervals. */
export interface NameScan {
  readonly columns: Columns;
  readonly intervals: readonly (readonly [start: number, end: number])[];
  /** Called between slices. Throws when the search was cancelled. */
  readonly checkStopped: () => void;
}

/**
 * Calls `visit` with positions at which `text` is in folded names, of each part of the names in which there are any, until it returns false.
 * The first `count` elements of `found` are valid during the call.
 */
export function scanHits(
  { columns, intervals, checkStopped }: NameScan,
  text: Uint8Array,
  visit: (found: Uint32Array, count: number) => boolean,
): void {
  if (text.length > maxScannedText) return;
  const { names, offsets, count } = columns;
  const { scanner } = names;
  for (const [first, last] of intervals) {
    if (first >= last) continue;
    const rangeEnd = last < count ? (offsets[last] ?? names.end) : names.end;
    for (let from = offsets[first] ?? rangeEnd; from < rangeEnd; from = scanner.next) {
      checkStopped();
      scanner.setText(text);
      const hits = scanner.scan(from, Math.min(from + sliceBytes, rangeEnd));
      if (hits > 0 && !visit(scanner.found, hits)) return;
    }
  }
}

/** Whether `text` is in any folded name. */
export function occursInNames(scan: NameScan, text: Uint8Array): boolean {
  let isFound = false;
  scanHits(scan, text, () => {
    isFound = true;
    return false;
  });
  return isFound;
}

/**
 * Calls `visit` once for every live entry whose folded name contains `text`, with its best class. Hits at positions for which
 * `mayMatter` returns false are left out.
 */
export function scanNames(
  { columns, intervals, checkStopped }: NameScan,
  text: Uint8Array,
  visit: (entry: number, matched: number) => void,
  mayMatter: (position: number) => boolean,
): void {
  if (text.length > maxScannedText) return;
  const { names } = columns;
  const { scanner } = names;
  for (const [first, last] of intervals) {
    if (first >= last) continue;
    const rangeEnd = last < columns.count ? (columns.offsets[last] ?? names.end) : names.end;
    let current = noEntry;
    let start = 0;
    let end = 0;
    let matched = 0;
    for (let from = columns.offsets[first] ?? rangeEnd; from < rangeEnd;) {
      checkStopped();
      const to = Math.min(from + sliceBytes, rangeEnd);
      scanner.setText(text);
      const count = scanner.scan(from, to);
      from = scanner.next;
      const { found } = scanner;
      for (let i = 0; i < count; i++) {
        const position = found[i] ?? 0;
        if (current === noEntry || position >= end) {
          if (!mayMatter(position)) continue;
          if (current !== noEntry) visit(current, matched);
          current = columns.entryAt(position);
          start = columns.offsets[current] ?? 0;
          end = columns.nameEndOf(current);
          matched = matchClass(columns, { start, end, position, length: text.length });
        } else if (matched < wordStart) {
          matched = Math.max(matched, matchClass(columns, { start, end, position, length: text.length }));
        }
      }
    }
    if (current !== noEntry) visit(current, matched);
  }
}
