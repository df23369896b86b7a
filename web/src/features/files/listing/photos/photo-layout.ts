import {
  clamp,
  type ListingLayout,
  type Measures,
  rowOnePageAway,
  type Section,
} from '../model/listing-geometry.ts';
import type { PositionRange } from '../model/selection.ts';

/** The height of rows of photos, and that in wide windows, in px. */
export const photoRowPx = 164;
export const widePhotoRowPx = 200;
/** The height of rows on phones. */
export const phonePhotoRowPx = 112;
/** The height of the heading of a day. */
export const dayHeadPx = 44;
/** The width of the scrubber at the end edge. */
export const scrubberPx = 60;
const gapPx = 4;
const startPaddingPx = 4;
const endPaddingPx = 24;
const phoneEndPaddingPx = 88;
const folderTilePx = 56;
const folderTileGapPx = 12;
const folderTileWidthPx = 220;
const foldersHeadingPx = 32;
const newTileRowPx = 48;
/** The minimum number of files for a scrubber. */
const scrubbedFiles = 40;
/** The proportions, width to height, that are assumed until a picture's own are known. */
export const assumedRatio = 1.5;
/** Narrower and wider pictures get a frame of these proportions, in which they are shown whole. */
export const minRatio = 0.4;
export const maxRatio = 4;
/** The last row of a day is stretched to the full width from this fraction on. */
const fullFraction = 0.75;
/** The largest height of a row, relative to the usual one, that results from leaving out its last picture. */
const maxStretch = 1.35;
/** The least height of a row, relative to the usual one. A wide picture that would make it lower begins the next row. */
const minShrink = 0.6;
/** The least width of a picture beside a wide one, which begins the next row otherwise: that of a touch target (WCAG 2.5.5). */
const minWidthPx = 44;
/** The largest stretch of the row above such a picture; a shorter row keeps the usual height and ends early. */
const maxStretchAboveWide = 1.6;

/** The period or place by which photos can be grouped under headings. */
export type PhotoGroups = 'day' | 'month' | 'place';
/** How the photos are grouped; null for not at all. */
export type PhotoGrouping = PhotoGroups | null;

/** The photos of a day, month or place. */
export interface PhotoGroup {
  /** The position of its first entry. */
  readonly position: number;
  readonly count: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly headTopPx: number;
  readonly endPx: number;
  /** A time in the period; null when the photos are not grouped by time. */
  readonly timeMs: number | null;
  /** The number of the place, 0 for unknown ones; null when the photos are not grouped by place. */
  readonly place: number | null;
}

/** The content that is laid out. */
export interface PhotoContent {
  /** The ids by position, folders first. */
  readonly order: Uint32Array;
  readonly numFolders: number;
  /** Returns width divided by height of a file. */
  readonly ratioOf: (id: number) => number;
  /** Returns the time by which files are grouped, in Unix milliseconds. */
  readonly timeOf: (id: number) => number;
  /** Returns the number of the place at which a file was made; 0 if it is unknown. */
  readonly placeOf: (id: number) => number;
}

/** The available space and the choices of the user. */
export interface PhotoSpace {
  readonly widthPx: number;
  readonly rowPx: number;
  readonly isPhone: boolean;
  readonly grouping: PhotoGrouping;
  readonly hasNewRow: boolean;
}

/** Returns the first and the last millisecond of the day or month of `timeMs`, in local time. */
export function periodOf(timeMs: number, grouping: 'day' | 'month'): { firstMs: number; lastMs: number } {
  const date = new Date(timeMs);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  if (grouping === 'month')
    return { firstMs: new Date(year, month).getTime(), lastMs: new Date(year, month + 1).getTime() - 1 };
  const day = date.getDate();
  return {
    firstMs: new Date(year, month, day).getTime(),
    lastMs: new Date(year, month, day + 1).getTime() - 1,
  };
}

/** Computes the positions of photos in justified rows: as wide as the page, with the proportions of each photo. */
export class PhotoLayout implements ListingLayout {
  readonly measures: Measures;
  readonly sections: readonly Section[];
  readonly groups: readonly PhotoGroup[];
  readonly count: number;
  readonly heightPx: number;
  readonly newRow: { readonly topPx: number; readonly heightPx: number };
  readonly hasScrubber: boolean;
  readonly grouping: PhotoGrouping;
  /** The position of the first entry of each row, and the number of entries at the end. */
  readonly #firsts: number[] = [];
  readonly #tops: number[] = [];
  readonly #heights: number[] = [];
  /** By position. */
  readonly #starts: Float32Array;
  readonly #widths: Float32Array;

  constructor(content: PhotoContent, space: PhotoSpace) {
    const { order, numFolders } = content;
    const { isPhone, widthPx, hasNewRow, grouping } = space;
    this.count = order.length;
    this.grouping = grouping;
    this.#starts = new Float32Array(order.length);
    this.#widths = new Float32Array(order.length);
    const isByTime = grouping === 'day' || grouping === 'month';
    this.hasScrubber = isByTime && !isPhone && order.length - numFolders >= scrubbedFiles;
    const sidePx = isPhone ? 16 : 24;
    const folderSpacePx = Math.max(1, widthPx - 2 * sidePx + folderTileGapPx);
    const columns = isPhone ? 2 : Math.max(2, Math.floor(folderSpacePx / folderTileWidthPx));
    const folderWidthPx = Math.max(1, Math.floor(folderSpacePx / columns) - folderTileGapPx);
    this.measures = {
      stickyPx: grouping === null ? 0 : dayHeadPx,
      startPx: startPaddingPx,
      sidePx,
      columns,
      itemWidthPx: folderWidthPx,
      itemHeightPx: space.rowPx,
      folderHeightPx: folderTilePx,
      gapPx,
      headingPx: dayHeadPx,
      sectionGapPx: 0,
      endPaddingPx,
    };
    // Read once: the properties of 100,000 photos take longer than their arrangement.
    const ratios = new Float64Array(order.length);
    for (let at = numFolders; at < order.length; at++)
      ratios[at] = clamp(content.ratioOf(order[at] ?? 0), minRatio, maxRatio);
    let topPx = startPaddingPx;
    this.newRow = { topPx: topPx + (numFolders > 0 ? foldersHeadingPx : 0), heightPx: newTileRowPx };
    if (hasNewRow) topPx += newTileRowPx;
    const sections: Section[] = [];
    if (numFolders > 0) {
      const firstPx = topPx + foldersHeadingPx;
      const pitchPx = folderTilePx + folderTileGapPx;
      const rows = Math.ceil(numFolders / columns);
      sections.push({
        kind: 'folders',
        position: 0,
        count: numFolders,
        row: 0,
        rows,
        headingTopPx: topPx - (hasNewRow ? newTileRowPx : 0),
        topPx: firstPx,
        itemHeightPx: folderTilePx,
        pitchPx,
      });
      for (let row = 0; row < rows; row++) this.#addRow(row * columns, firstPx + row * pitchPx, folderTilePx);
      for (let position = 0; position < numFolders; position++) {
        this.#starts[position] = sidePx + (position % columns) * (folderWidthPx + folderTileGapPx);
        this.#widths[position] = folderWidthPx;
      }
      topPx = firstPx + rows * pitchPx;
    }
    this.sections = sections;
    const photoSidePx = isPhone ? 0 : sidePx;
    const endSidePx = this.hasScrubber ? scrubberPx : photoSidePx;
    const groups: PhotoGroup[] = [];
    for (const group of groupsIn(content, grouping)) {
      const firstRow = this.#tops.length;
      const endPx = this.#justify(ratios, group, {
        topPx: topPx + dayHeadPx,
        startPx: photoSidePx,
        widthPx: Math.max(1, widthPx - photoSidePx - endSidePx),
        rowPx: space.rowPx,
      });
      const lastRow = this.#tops.length - 1;
      groups.push({ ...group, firstRow, lastRow, headTopPx: topPx, endPx });
      topPx = endPx;
    }
    this.groups = groups;
    this.#firsts.push(this.count);
    this.heightPx = topPx + (isPhone ? phoneEndPaddingPx : endPaddingPx);
  }

  get rows(): number {
    return this.#tops.length;
  }

  widthOf(position: number): number {
    return this.#widths[position] ?? 0;
  }

  rowOf(position: number): number {
    return Math.max(
      0,
      lastIndex(this.rows, (row) => (this.#firsts[row] ?? 0) <= position),
    );
  }

  columnOf(position: number): number {
    return position - (this.#firsts[this.rowOf(position)] ?? 0);
  }

  topOf(position: number): number {
    return this.#tops[this.rowOf(position)] ?? 0;
  }

  itemHeightOf(position: number): number {
    return this.#heights[this.rowOf(position)] ?? 0;
  }

  startOf(position: number): number {
    return this.#starts[position] ?? 0;
  }

  /** Returns the row at `y` of the content, or the next one below it; the last row if there is none below. */
  rowAt(y: number): number {
    const above = lastIndex(
      this.rows,
      (row) => (this.#tops[row] ?? 0) + (this.#heights[row] ?? 0) + gapPx <= y,
    );
    return clamp(above + 1, 0, Math.max(0, this.rows - 1));
  }

  positionsOf(firstRow: number, lastRow: number): PositionRange {
    const first = this.#firsts[firstRow] ?? this.count;
    return { first, last: (this.#firsts[Math.min(this.rows, lastRow + 1)] ?? this.count) - 1 };
  }

  /** Returns the group at `y` of the content, or the last one above it; null above the first. */
  groupAt(y: number): PhotoGroup | null {
    return (
      this.groups[lastIndex(this.groups.length, (index) => (this.groups[index]?.headTopPx ?? 0) <= y)] ?? null
    );
  }

  /** Returns the groups that a range of rows touches. */
  groupsOf(firstRow: number, lastRow: number): readonly PhotoGroup[] {
    const { groups } = this;
    const before = lastIndex(groups.length, (index) => (groups[index]?.lastRow ?? 0) < firstRow);
    const last = lastIndex(groups.length, (index) => (groups[index]?.firstRow ?? 0) <= lastRow);
    return groups.slice(before + 1, last + 1);
  }

  /** Returns the entry one row up or down whose middle is nearest; null without such a row. */
  neighbor(position: number, direction: 1 | -1): number | null {
    const row = this.rowOf(position) + direction;
    if (row < 0 || row >= this.rows) return null;
    return this.#nearestIn(row, this.startOf(position) + this.widthOf(position) / 2);
  }

  positionsIn(rect: { x1: number; y1: number; x2: number; y2: number }): PositionRange[] {
    const ranges: PositionRange[] = [];
    for (let row = this.rowAt(rect.y1); row < this.rows && (this.#tops[row] ?? 0) <= rect.y2; row++) {
      if ((this.#tops[row] ?? 0) + (this.#heights[row] ?? 0) < rect.y1) continue;
      const { first, last } = this.positionsOf(row, row);
      let from = first;
      while (from <= last && this.startOf(from) + this.widthOf(from) < rect.x1) from++;
      let to = last;
      while (to >= from && this.startOf(to) > rect.x2) to--;
      if (from <= to) ranges.push({ first: from, last: to });
    }
    return ranges;
  }

  pageAway(position: number, direction: 1 | -1, heightPx: number): number {
    const row = rowOnePageAway(this, position, direction, heightPx);
    return this.#nearestIn(row, this.startOf(position) + this.widthOf(position) / 2);
  }

  clampPosition(position: number): number {
    return clamp(position, 0, this.count - 1);
  }

  #addRow(first: number, topPx: number, heightPx: number): void {
    this.#firsts.push(first);
    this.#tops.push(topPx);
    this.#heights.push(heightPx);
  }

  #nearestIn(row: number, middlePx: number): number {
    const { first, last } = this.positionsOf(row, row);
    let nearest = first;
    let distancePx = Infinity;
    for (let position = first; position <= last; position++) {
      const awayPx = Math.abs(this.startOf(position) + this.widthOf(position) / 2 - middlePx);
      if (awayPx >= distancePx) continue;
      nearest = position;
      distancePx = awayPx;
    }
    return nearest;
  }

  /** Places the photos of one group in rows. Returns the position below the last row. */
  #justify(
    ratios: Float64Array,
    { position, count }: { position: number; count: number },
    space: { topPx: number; startPx: number; widthPx: number; rowPx: number },
  ): number {
    const { widthPx, rowPx } = space;
    const end = position + count;
    let { topPx } = space;
    const close = (first: number, last: number, sum: number, isFull: boolean): void => {
      const gapsPx = (last - first) * gapPx;
      const heightPx = Math.max(1, Math.round(isFull ? (widthPx - gapsPx) / sum : rowPx));
      this.#addRow(first, topPx, heightPx);
      // Edges are rounded instead of widths, so that the row ends exactly at the edge of the page.
      let edge = 0;
      for (let at = first; at <= last; at++) {
        const ratio = ratios[at] ?? assumedRatio;
        const before = edge;
        edge += isFull ? (ratio * (widthPx - gapsPx)) / sum : ratio * rowPx;
        this.#starts[at] = space.startPx + Math.round(before) + (at - first) * gapPx;
        this.#widths[at] = Math.max(1, Math.round(edge) - Math.round(before));
      }
      topPx += heightPx + gapPx;
    };
    let first = position;
    let sum = 0;
    let narrowest = maxRatio;
    for (let at = position; at < end; at++) {
      const ratio = ratios[at] ?? assumedRatio;
      sum += ratio;
      narrowest = Math.min(narrowest, ratio);
      const gapsPx = (at - first) * gapPx;
      if (sum * rowPx + gapsPx < widthPx) continue;
      const heightPx = (widthPx - gapsPx) / sum;
      const heightWithoutPx = (widthPx - gapsPx + gapPx) / (sum - ratio);
      const isTooLow = heightPx < rowPx * minShrink || narrowest * heightPx < minWidthPx;
      const isBetterWithout =
        heightWithoutPx <= rowPx * maxStretch && heightWithoutPx - rowPx < rowPx - heightPx;
      if (at > first && (isTooLow || isBetterWithout)) {
        close(first, at - 1, sum - ratio, heightWithoutPx <= rowPx * maxStretchAboveWide);
        first = at;
        sum = ratio;
        narrowest = ratio;
        if (sum * rowPx < widthPx) continue;
      }
      close(first, at, sum, true);
      first = at + 1;
      sum = 0;
      narrowest = maxRatio;
    }
    if (first < end) {
      const filledPx = sum * rowPx + (end - 1 - first) * gapPx;
      close(first, end - 1, sum, filledPx >= widthPx * fullFraction);
    }
    return topPx;
  }
}

/** Yields the files of each day, month or place, which are next to each other in the order. */
function* groupsIn(
  { order, numFolders, timeOf, placeOf }: PhotoContent,
  grouping: PhotoGrouping,
): Generator<Pick<PhotoGroup, 'position' | 'count' | 'timeMs' | 'place'>> {
  if (order.length === numFolders) return;
  if (grouping === null) {
    yield { timeMs: null, place: null, position: numFolders, count: order.length - numFolders };
    return;
  }
  const isPlace = grouping === 'place';
  const valueOf = isPlace ? placeOf : timeOf;
  let position = numFolders;
  let value = valueOf(order[position] ?? 0);
  let range = isPlace ? null : periodOf(value, grouping);
  for (let at = numFolders + 1; at <= order.length; at++) {
    const next = at < order.length ? valueOf(order[at] ?? 0) : Number.NaN;
    if (range === null ? next === value : next >= range.firstMs && next <= range.lastMs) continue;
    yield {
      ...(isPlace ? { timeMs: null, place: value } : { timeMs: value, place: null }),
      position,
      count: at - position,
    };
    position = at;
    value = next;
    if (!isPlace) range = periodOf(value, grouping);
  }
}

/** Returns the last index below `count` for which `holds`, which holds up to some index; -1 without one. */
function lastIndex(count: number, holds: (index: number) => boolean): number {
  let low = -1;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
