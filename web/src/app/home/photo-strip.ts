/** A picture of a strip, in px. */
export interface StripTile {
  /** Its index among the pictures. */
  readonly index: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The proportions, width to height, within which pictures fill their tile; others are shown whole in it. */
const minRatio = 9 / 16;
const maxRatio = 2.5;
/** A row that is filled from this fraction on is stretched to the full width. */
const fullFraction = 0.75;

/**
 * Places pictures with these proportions uncropped into rows of the full width, as many as fit. The pictures of an incomplete row
 * are left out, except in the first row.
 */
export function stripRows(
  ratios: readonly number[],
  widthPx: number,
  { rowPx, gapPx, maxRows }: { rowPx: number; gapPx: number; maxRows: number },
): StripTile[][] {
  const rows: StripTile[][] = [];
  let first = 0;
  let sum = 0;
  const close = (end: number, heightPx: number): void => {
    const row: StripTile[] = [];
    // Edges are rounded instead of widths, so that the row ends exactly at the edge.
    let edgePx = 0;
    for (let index = first; index < end; index += 1) {
      const fromPx = Math.round(edgePx);
      edgePx += clampedRatio(ratios[index]) * heightPx;
      row.push({ index, widthPx: Math.round(edgePx) - fromPx, heightPx: Math.round(heightPx) });
    }
    rows.push(row);
    first = end;
    sum = 0;
  };
  for (let index = 0; index < ratios.length && rows.length < maxRows; index += 1) {
    const ratio = clampedRatio(ratios[index]);
    const heightPx = (widthPx - (index - first) * gapPx) / (sum + ratio);
    const isFull = heightPx <= rowPx;
    // A full row ends before or after the picture that exceeds it, whichever height is closer to the usual one.
    const tallerPx = index === first ? Infinity : (widthPx - (index - first - 1) * gapPx) / sum;
    const endsBefore = isFull && tallerPx / rowPx < rowPx / heightPx;
    if (endsBefore) close(index, tallerPx);
    sum += ratio;
    if (isFull && !endsBefore) close(index + 1, heightPx);
  }
  if (rows.length === 0 && ratios.length > 0) {
    const gapsPx = (ratios.length - 1) * gapPx;
    const isFull = sum * rowPx + gapsPx >= widthPx * fullFraction;
    close(ratios.length, isFull ? (widthPx - gapsPx) / sum : rowPx);
  }
  return rows;
}

const clampedRatio = (ratio = 1): number => Math.max(minRatio, Math.min(maxRatio, ratio));
