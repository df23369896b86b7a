import type { TrashItem } from '@filestead/contract/endpoints/trash';

/** The groups of the list by the day of the deletion. */
export type TrashSectionKind = 'today' | 'yesterday' | 'earlier';

/** A group of consecutive items. */
export interface TrashSection {
  readonly kind: TrashSectionKind;
  /** The position of its first item. */
  readonly position: number;
  /** The number of its items; of the last section it includes those that have not arrived. */
  readonly count: number;
}

/** Returns the midnight at which the day began that contains `nowMs`, `daysBefore` days earlier, in Unix ms. */
function startOfDay(nowMs: number, daysBefore: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBefore).getTime();
}

/** Returns the position of the first item that was deleted before `beforeMs`; the items are in descending order. */
function firstBefore(items: readonly TrashItem[], beforeMs: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(items[middle]?.deletedAt ?? '') < beforeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the groups of the list, without empty ones. `count` is the number of items of the complete list. */
export function sectionsOf(items: readonly TrashItem[], count: number, nowMs: number): TrashSection[] {
  const yesterday = firstBefore(items, startOfDay(nowMs, 0));
  const earlier = firstBefore(items, startOfDay(nowMs, 1));
  // Items that have not arrived are older than all that have.
  const starts = [
    { kind: 'today', position: 0, end: yesterday },
    { kind: 'yesterday', position: yesterday, end: earlier },
    { kind: 'earlier', position: earlier, end: items.length },
  ] as const;
  const sections = starts
    .filter(({ position, end }) => end > position)
    .map(({ kind, position, end }) => ({ kind, position, count: end - position }));
  const last = sections.at(-1);
  if (last) last.count += count - items.length;
  return sections;
}

/** The position of the rows and headings of the list, in px from its top. */
export class TrashGeometry {
  readonly sections: readonly TrashSection[];
  readonly count: number;
  readonly #rowPx: number;
  readonly #headingPx: number;

  constructor(
    sections: readonly TrashSection[],
    { count, rowPx, headingPx }: { count: number; rowPx: number; headingPx: number },
  ) {
    this.sections = sections;
    this.count = count;
    this.#rowPx = rowPx;
    this.#headingPx = headingPx;
  }

  get heightPx(): number {
    return this.count * this.#rowPx + this.sections.length * this.#headingPx;
  }

  headingTopOf(section: TrashSection): number {
    return section.position * this.#rowPx + this.sections.indexOf(section) * this.#headingPx;
  }

  topOf(position: number): number {
    const headings = this.sections.filter((section) => section.position <= position).length;
    return position * this.#rowPx + headings * this.#headingPx;
  }

  /** Returns the position of the row at `px`, or of the next row below a heading; the last one below the end. */
  positionAt(px: number): number {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.topOf(middle) + this.#rowPx > px) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Returns the rendered positions for a view of `heightPx` that is scrolled by `topPx`; `last` is inclusive. */
  windowOf(topPx: number, heightPx: number, overscan: number): { first: number; last: number } {
    return {
      first: Math.max(0, this.positionAt(topPx) - overscan),
      last: Math.min(this.count - 1, this.positionAt(topPx + heightPx) + overscan),
    };
  }
}
