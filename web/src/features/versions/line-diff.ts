/** A line of a comparison: in both texts, only in the former, or only in the current one. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** Its position in the comparison. */
  readonly position: number;
}

/** A part of a comparison: lines, or the number of hidden equal lines. */
export type DiffPart =
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'hidden'; readonly count: number; readonly position: number };

/** Beyond this number of differing lines the texts count as completely different. */
const maxDistance = 2_000;
/** Equal lines that are shown around a difference. */
const contextLines = 3;

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u));

/**
 * Returns the shortest edit script from `former` to `present` as pairs of positions of equal lines, in order (Myers, “An O(ND)
 * difference algorithm and its variations”); null when it has more than {@link maxDistance} steps.
 */
function equalLines(former: readonly string[], present: readonly string[]): [number, number][] | null {
  const traces: Int32Array[] = [];
  const limit = Math.min(former.length + present.length, maxDistance);
  const offset = limit + 1;
  const ends = new Int32Array(2 * limit + 3);
  for (let distance = 0; distance <= limit; distance++) {
    traces.push(ends.slice(offset - distance - 1, offset + distance + 2));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const left = ends[offset + diagonal - 1] ?? 0;
      const right = ends[offset + diagonal + 1] ?? 0;
      let x = diagonal === -distance || (diagonal !== distance && left < right) ? right : left + 1;
      while (x < former.length && x - diagonal < present.length && former[x] === present[x - diagonal]) x++;
      ends[offset + diagonal] = x;
      if (x >= former.length && x - diagonal >= present.length) return pathOf(traces, former, present);
    }
  }
  return null;
}

/** Follows the traces of {@link equalLines} back to the beginning. */
function pathOf(
  traces: readonly Int32Array[],
  former: readonly string[],
  present: readonly string[],
): [number, number][] {
  const pairs: [number, number][] = [];
  let x = former.length;
  let y = present.length;
  for (let distance = traces.length - 1; distance >= 0; distance--) {
    const trace = traces[distance] ?? new Int32Array();
    const middle = distance + 1;
    const diagonal = x - y;
    const left = trace[middle + diagonal - 1] ?? 0;
    const right = trace[middle + diagonal + 1] ?? 0;
    const isDown = diagonal === -distance || (diagonal !== distance && left < right);
    const before = distance === 0 ? 0 : isDown ? right : left;
    const beforeY = distance === 0 ? 0 : before - (isDown ? diagonal + 1 : diagonal - 1);
    while (x > before && y > beforeY && former[x - 1] === present[y - 1]) pairs.push([--x, --y]);
    x = before;
    y = beforeY;
  }
  return pairs.reverse();
}

/** Compares two texts line by line. */
export function diffLines(formerText: string, presentText: string): DiffLine[] {
  const former = linesOf(formerText);
  const present = linesOf(presentText);
  let start = 0;
  while (start < former.length && start < present.length && former[start] === present[start]) start++;
  let end = 0;
  while (
    end < former.length - start &&
    end < present.length - start &&
    former[former.length - 1 - end] === present[present.length - 1 - end]
  ) {
    end++;
  }
  const changedFormer = former.slice(start, former.length - end);
  const changedPresent = present.slice(start, present.length - end);
  const lines: Omit<DiffLine, 'position'>[] = former.slice(0, start).map((text) => ({ kind: 'same', text }));
  let [x, y] = [0, 0];
  const skipTo = (nextX: number, nextY: number): void => {
    for (; x < nextX; x++) lines.push({ kind: 'removed', text: changedFormer[x] ?? '' });
    for (; y < nextY; y++) lines.push({ kind: 'added', text: changedPresent[y] ?? '' });
  };
  for (const [nextX, nextY] of equalLines(changedFormer, changedPresent) ?? []) {
    skipTo(nextX, nextY);
    lines.push({ kind: 'same', text: changedFormer[x] ?? '' });
    x++;
    y++;
  }
  skipTo(changedFormer.length, changedPresent.length);
  for (const text of former.slice(former.length - end)) lines.push({ kind: 'same', text });
  return lines.map(({ kind, text }, position) => ({ kind, text, position }));
}

/** Hides equal lines that are far from any difference. */
export function foldEqualLines(lines: readonly DiffLine[]): DiffPart[] {
  const isNear = lines.map(() => false);
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let near = index - contextLines; near <= index + contextLines; near++) {
      if (near >= 0 && near < lines.length) isNear[near] = true;
    }
  }
  const parts: DiffPart[] = [];
  for (let first = 0; first < lines.length;) {
    let next = first;
    while (next < lines.length && isNear[next] === isNear[first]) next++;
    const isShown = isNear[first] === true || next - first === 1;
    parts.push(
      isShown
        ? { kind: 'lines', lines: lines.slice(first, next) }
        : { kind: 'hidden', count: next - first, position: first },
    );
    first = next;
  }
  return parts;
}
