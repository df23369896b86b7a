import type { ViewMode } from '@filestead/contract/users';
import type { PositionRange } from './selection.ts';

/** The default width of a tile column with the gap that follows it, in px (docs/reference/behaviour.md §9); tiles and photos are scaled relative to it. */
export const defaultTileWidthPx = 280;
const defaultRowHeightPx = 40;
const listHeadingPx = 36;
const tileHeadingPx = 32;
const phoneRowPx = 64;
/** Two lines below a name. */
const excerptPx = 44;
/** The space below the last entry; on phones the round button and the selection bar never cover an entry. */
const endPaddingPx = 16;
const phoneEndPaddingPx = 88;
/** The height of the row in which a new folder is named. */
const newTileRowPx = 48;
const nameLinesPx = 60;
/** The height of the picture in tiles of the default width; it scales with the width. */
const maxImagePx = 208;
/** The height of a folder whose icon is beside its name. */
export const slimTilePx = 56;
/** The height of the pocket that stands for a folder. */
const pocketPx = 104;
const phonePocketPx = 84;
const pocketCaptionPx = 58;
/** The number of folders up to which they are pockets: more would distract, and push the files far down. */
const maxPockets = 24;

/** The measures of one view, in px. */
export interface Measures {
  /** The height of the column headers, which stay at the top; phones have none. */
  readonly stickyPx: number;
  readonly startPx: number;
  /** The padding at both sides. */
  readonly sidePx: number;
  readonly columns: number;
  readonly itemWidthPx: number;
  readonly itemHeightPx: number;
  /** The height of folders, which among tiles are pockets or slim. */
  readonly folderHeightPx: number;
  readonly gapPx: number;
  readonly headingPx: number;
  readonly sectionGapPx: number;
  readonly endPaddingPx: number;
}

/** Returns the height of the picture in a tile; the rest contains the name. */
export const imageHeightPx = ({ itemHeightPx }: Measures): number => itemHeightPx - nameLinesPx;

/** Sizes chosen by the user, which phones ignore, and the covers of folders. */
export interface ChosenSizes {
  readonly rowHeightPx?: number | undefined;
  /** Whether rows contain a part of their entry in two further lines, also on phones. */
  readonly hasExcerpts?: boolean | undefined;
  readonly tileWidthPx?: number | undefined;
  /** Whether folders among tiles are pockets with their content. */
  readonly hasPockets?: boolean | undefined;
  /** The height of the headings in the list; 0 without them. */
  readonly headingPx?: number | undefined;
}

/** Whether this number of folders is shown as pockets. */
export const fitsPockets = (numFolders: number): boolean => numFolders <= maxPockets;

/** The height of the pocket in a tile. */
export const pocketHeightPx = (isPhone: boolean): number => (isPhone ? phonePocketPx : pocketPx);

/** Returns the measures of the list or of tiles; photos have a layout of their own. */
export function measure(
  view: ViewMode,
  widthPx: number,
  isPhone: boolean,
  {
    rowHeightPx = defaultRowHeightPx,
    tileWidthPx = defaultTileWidthPx,
    hasExcerpts = false,
    hasPockets = false,
    headingPx = listHeadingPx,
  }: ChosenSizes = {},
): Measures {
  if (view === 'list') {
    const rowPx = (isPhone ? phoneRowPx : rowHeightPx) + (hasExcerpts ? excerptPx : 0);
    return {
      stickyPx: isPhone ? 0 : 36,
      startPx: 0,
      sidePx: 0,
      columns: 1,
      itemWidthPx: widthPx,
      itemHeightPx: rowPx,
      folderHeightPx: rowPx,
      gapPx: 0,
      headingPx,
      sectionGapPx: 0,
      endPaddingPx: isPhone ? phoneEndPaddingPx : endPaddingPx,
    };
  }
  const sidePx = isPhone ? 16 : 24;
  const gapPx = isPhone ? 8 : 16;
  const availablePx = Math.max(0, widthPx - 2 * sidePx) + gapPx;
  const columns = isPhone ? 2 : Math.max(1, Math.floor(availablePx / tileWidthPx));
  const itemWidthPx = Math.max(1, Math.floor(availablePx / columns) - gapPx);
  const scale = isPhone ? 1 : tileWidthPx / defaultTileWidthPx;
  const imagePx = Math.min(Math.round(maxImagePx * scale), Math.round((itemWidthPx * 3) / 4));
  const itemHeightPx = imagePx + nameLinesPx;
  return {
    stickyPx: 0,
    startPx: 12,
    sidePx,
    columns,
    itemWidthPx,
    itemHeightPx,
    folderHeightPx: hasPockets ? pocketHeightPx(isPhone) + pocketCaptionPx : slimTilePx,
    gapPx,
    headingPx: tileHeadingPx,
    sectionGapPx: 16,
    endPaddingPx: isPhone ? phoneEndPaddingPx : endPaddingPx,
  };
}

export type SectionKind = 'folders' | 'files';

/** A part of the listing with its heading. */
export interface Section {
  readonly kind: SectionKind;
  /** The position of its first entry. */
  readonly position: number;
  readonly count: number;
  /** The number of its first row, counted over all sections. */
  readonly row: number;
  readonly rows: number;
  readonly headingTopPx: number;
  /** Of its first row. */
  readonly topPx: number;
  readonly itemHeightPx: number;
  /** The distance from one row to the next. */
  readonly pitchPx: number;
}

/** The positions of all entries of a view; nothing is measured in the page. */
export type ListingLayout = Pick<ListingGeometry, keyof ListingGeometry>;

/** Returns the row one page of `heightPx` above or below an entry; at least one row away if possible. */
export function rowOnePageAway(
  layout: Pick<ListingLayout, 'measures' | 'rows' | 'itemHeightOf' | 'topOf' | 'rowAt' | 'rowOf'>,
  position: number,
  direction: 1 | -1,
  heightPx: number,
): number {
  const pagePx = heightPx - layout.measures.stickyPx - layout.itemHeightOf(position);
  const pageRow = layout.rowAt(Math.max(0, layout.topOf(position) + direction * pagePx));
  const next = layout.rowOf(position) + direction;
  const row = direction === 1 ? Math.max(next, pageRow) : Math.min(next, pageRow);
  return clamp(row, 0, layout.rows - 1);
}

/** Returns the number from `low` to `high` that is closest to `value`. */
export const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value));

/** Computes the positions of the list and of tiles. */
export class ListingGeometry {
  readonly measures: Measures;
  readonly sections: readonly Section[];
  readonly count: number;
  readonly rows: number;
  /** The height of the whole content. */
  readonly heightPx: number;
  /** The position and height of the row in which a new folder is named: above all folders. */
  readonly newRow: { readonly topPx: number; readonly heightPx: number };

  constructor(measures: Measures, numFolders: number, numFiles: number, hasNewRow = false) {
    this.measures = measures;
    this.count = numFolders + numFiles;
    const sections: Section[] = [];
    const { headingPx } = measures;
    let topPx = measures.stickyPx + measures.startPx;
    this.newRow = {
      topPx: topPx + (numFolders > 0 ? headingPx : 0),
      heightPx: measures.columns === 1 ? measures.folderHeightPx : newTileRowPx,
    };
    const isNewRowFirst = hasNewRow && numFolders === 0;
    if (isNewRowFirst) topPx += this.newRow.heightPx;
    let row = 0;
    for (const [kind, position, count] of [
      ['folders', 0, numFolders],
      ['files', numFolders, numFiles],
    ] as const) {
      if (count === 0) continue;
      if (sections.length > 0) topPx += measures.sectionGapPx;
      const newRowPx = kind === 'folders' && hasNewRow ? this.newRow.heightPx : 0;
      const rows = Math.ceil(count / measures.columns);
      const itemHeightPx = kind === 'folders' ? measures.folderHeightPx : measures.itemHeightPx;
      const pitchPx = itemHeightPx + measures.gapPx;
      sections.push({
        kind,
        position,
        count,
        row,
        rows,
        headingTopPx: topPx,
        topPx: topPx + headingPx + newRowPx,
        itemHeightPx,
        pitchPx,
      });
      row += rows;
      topPx += headingPx + newRowPx + rows * pitchPx - measures.gapPx;
    }
    this.sections = sections;
    this.rows = row;
    this.heightPx = topPx + measures.endPaddingPx;
  }

  rowOf(position: number): number {
    const section = this.#sectionOf(position);
    if (section === undefined) return 0;
    return section.row + Math.floor((position - section.position) / this.measures.columns);
  }

  columnOf(position: number): number {
    const section = this.#sectionOf(position);
    return section === undefined ? 0 : (position - section.position) % this.measures.columns;
  }

  topOf(position: number): number {
    const section = this.#sectionOf(position);
    if (section === undefined) return 0;
    return section.topPx + (this.rowOf(position) - section.row) * section.pitchPx;
  }

  itemHeightOf(position: number): number {
    return this.#sectionOf(position)?.itemHeightPx ?? this.measures.itemHeightPx;
  }

  /** Returns the distance from the inline-start edge. */
  startOf(position: number): number {
    const { sidePx, itemWidthPx, gapPx } = this.measures;
    return sidePx + this.columnOf(position) * (itemWidthPx + gapPx);
  }

  /** Returns the row at `y` of the content, or the next one below it; the last row if there is none below. */
  rowAt(y: number): number {
    for (const section of this.sections) {
      const row = Math.floor((y - section.topPx) / section.pitchPx);
      if (row < section.rows) return section.row + Math.max(0, row);
    }
    return Math.max(0, this.rows - 1);
  }

  /** Returns the positions of a range of rows, which may span both sections. */
  positionsOf(firstRow: number, lastRow: number): PositionRange {
    return { first: this.#firstOf(firstRow), last: this.#firstOf(lastRow + 1) - 1 };
  }

  /**
   * Returns the entry one row up or down in the same column, or at the last column of a shorter row; null without
   * such a row.
   */
  neighbor(position: number, direction: 1 | -1): number | null {
    const row = this.rowOf(position) + direction;
    if (row < 0 || row >= this.rows) return null;
    const { first, last } = this.positionsOf(row, row);
    return Math.min(first + this.columnOf(position), last);
  }

  /**
   * Returns the positions that a rectangle of the content touches; x is measured from the inline-start edge.
   */
  positionsIn(rect: { x1: number; y1: number; x2: number; y2: number }): PositionRange[] {
    const { columns, sidePx, itemWidthPx, gapPx } = this.measures;
    const step = itemWidthPx + gapPx;
    const firstColumn = Math.max(0, Math.floor((rect.x1 - sidePx + gapPx) / step));
    const lastColumn = Math.min(columns - 1, Math.floor((rect.x2 - sidePx) / step));
    const ranges: PositionRange[] = [];
    if (firstColumn > lastColumn) return ranges;
    for (const section of this.sections) {
      const firstRow = Math.max(
        0,
        Math.floor((rect.y1 - section.topPx - section.itemHeightPx) / section.pitchPx) + 1,
      );
      const lastRow = Math.min(section.rows - 1, Math.floor((rect.y2 - section.topPx) / section.pitchPx));
      const last = section.position + section.count - 1;
      if (columns === 1 && firstRow <= lastRow) {
        ranges.push({ first: section.position + firstRow, last: section.position + lastRow });
        continue;
      }
      for (let row = firstRow; row <= lastRow; row++) {
        const start = section.position + row * columns;
        const range = { first: start + firstColumn, last: Math.min(start + lastColumn, last) };
        if (range.first <= range.last) ranges.push(range);
      }
    }
    return ranges;
  }

  /** Returns the entry one page of `heightPx` up or down in the same column; at least one row away if possible. */
  pageAway(position: number, direction: 1 | -1, heightPx: number): number {
    const target = rowOnePageAway(this, position, direction, heightPx);
    const { first, last } = this.positionsOf(target, target);
    return Math.min(first + this.columnOf(position), last);
  }

  clampPosition(position: number): number {
    return clamp(position, 0, this.count - 1);
  }

  #sectionOf(position: number): Section | undefined {
    const last = this.sections.at(-1);
    return last !== undefined && position >= last.position ? last : this.sections[0];
  }

  #firstOf(row: number): number {
    for (const section of this.sections) {
      if (row < section.row + section.rows) {
        return section.position + Math.max(0, row - section.row) * this.measures.columns;
      }
    }
    return this.count;
  }
}
