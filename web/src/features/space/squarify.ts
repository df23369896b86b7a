/** A rectangle, in px. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the worst ratio of the sides among rectangles of these areas that share one side of length `side`. */
function worstRatio(sum: number, largest: number, smallest: number, side: number): number {
  const square = sum * sum;
  const sideSquare = side * side;
  return Math.max((sideSquare * largest) / square, square / (sideSquare * smallest));
}

/**
 * Divides `rect` among `sizes`, which are positive and in descending order, so that areas are proportional and the
 * rectangles are close to squares (Bruls, Huizing, van Wijk: Squarified Treemaps, 2000). Linear in the number of sizes.
 */
export function squarify(sizes: readonly number[], rect: Rect): Rect[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= 0 || rect.width <= 0 || rect.height <= 0) {
    return sizes.map(() => ({ x: rect.x, y: rect.y, width: 0, height: 0 }));
  }
  const scale = (rect.width * rect.height) / total;
  const areas = sizes.map((size) => size * scale);
  const placed: Rect[] = [];
  let { x, y, width, height } = rect;
  let first = 0;
  while (first < areas.length) {
    const side = Math.min(width, height);
    const largest = areas[first] ?? 0;
    let sum = largest;
    let last = first;
    let ratio = worstRatio(sum, largest, largest, side);
    while (last + 1 < areas.length) {
      const next = areas[last + 1] ?? 0;
      const nextRatio = worstRatio(sum + next, largest, next, side);
      if (nextRatio > ratio) break;
      ratio = nextRatio;
      sum += next;
      last += 1;
    }
    // One row along the shorter side.
    const depth = side > 0 ? Math.min(sum / side, Math.max(width, height)) : 0;
    let offset = 0;
    for (let index = first; index <= last; index++) {
      const length = ((areas[index] ?? 0) / sum) * side;
      placed.push(
        width < height
          ? { x: x + offset, y, width: length, height: depth }
          : { x, y: y + offset, width: depth, height: length },
      );
      offset += length;
    }
    if (width < height) {
      y += depth;
      height = Math.max(0, height - depth);
    } else {
      x += depth;
      width = Math.max(0, width - depth);
    }
    first = last + 1;
  }
  return placed;
}
