import { type CSSProperties, type ReactNode, useSyncExternalStore } from 'react';
import { type ListingModel, rowBits } from '../model/listing-model.ts';
import type { ScatteredLook } from '../listing-options.ts';
import type { ListingItem } from '../model/listing-entries.ts';
import type { ScrollPace } from '../dragging/scroll-pace.ts';

/** The properties of rows in every view. */
export interface EntryRowProps {
  readonly model: ListingModel;
  readonly id: number;
  readonly position: number;
  /** The number of entries, including those that have not arrived. */
  readonly total: number;
  /** The position of the row, in px. */
  readonly topPx: number;
  readonly startPx: number;
  readonly isDraggable: boolean;
  readonly isExactDate: boolean;
  readonly isPhone: boolean;
  /** The language of dates and sizes, so that rows render again when it changes. */
  readonly languageTag: string;
  readonly thumbnailUrl: ((name: string, modifiedMs: number, id: number) => string | null) | undefined;
  /** Renders the cover of a folder among tiles. */
  readonly folderCover?: ((id: number) => ReactNode) | undefined;
  readonly scattered: ScatteredLook | undefined;
  readonly pace: ScrollPace;
}

export interface EntryRow {
  readonly item: ListingItem;
  /** The progress of an upload in percent, or null. */
  readonly pending: number | null;
  /** The fraction of the entry in the size of the shown ones, from 0 to 1, or null. */
  readonly sizeFraction: number | null;
  readonly attributes: {
    readonly 'data-id': number;
    readonly 'aria-selected': boolean;
    readonly tabIndex: number;
    readonly draggable: boolean;
    readonly style: CSSProperties;
    readonly 'data-drop': true | undefined;
    readonly 'data-dragged': true | undefined;
    readonly 'data-arrived': true | undefined;
    readonly 'data-pending': true | undefined;
    readonly 'data-faded': true | undefined;
    readonly 'data-broken': true | undefined;
  };
}

/** Returns the content and attributes of a row in any view. Renders again only when its entry changes. */
export function useEntryRow({ model, id, topPx, startPx, isDraggable }: EntryRowProps): EntryRow {
  const state = useSyncExternalStore(model.subscribe, () => model.rowState(id));
  const item = model.item(id);
  const pending = model.pendingPercent(id);
  const has = (bit: number): true | undefined => (state & bit) !== 0 || undefined;
  return {
    item,
    pending,
    sizeFraction: model.sizeFraction(id),
    attributes: {
      'data-id': id,
      'aria-selected': has(rowBits.selected) ?? false,
      tabIndex: has(rowBits.tabStop) ? 0 : -1,
      draggable: isDraggable && pending === null,
      style: { insetInlineStart: `${startPx}px`, insetBlockStart: `${topPx}px` },
      'data-drop': has(rowBits.drop),
      'data-dragged': has(rowBits.dragged),
      'data-arrived': has(rowBits.arrived),
      'data-pending': pending !== null || undefined,
      'data-faded': item.name.startsWith('.') || undefined,
      'data-broken': item.type === 'invalid_link' || undefined,
    },
  };
}
