import { type CSSProperties, useSyncExternalStore } from 'react';
import { type ListingModel, rowBits } from '../model/listing-model.ts';
import type { ListingItem } from '../model/listing-entries.ts';
import type { ScrollPace } from '../dragging/scroll-pace.ts';

/** What every kind of row gets from the listing. */
export interface EntryRowProps {
  readonly model: ListingModel;
  readonly id: number;
  readonly position: number;
  /** How many entries there are or will be. */
  readonly total: number;
  /** Where it is laid out, in px. */
  readonly topPx: number;
  readonly startPx: number;
  readonly isDraggable: boolean;
  readonly isExactDate: boolean;
  readonly isPhone: boolean;
  /** A change of language changes dates and sizes. */
  readonly languageTag: string;
  readonly thumbnailUrl: ((name: string, modifiedMs: number) => string | null) | undefined;
  readonly pace: ScrollPace;
}

export interface EntryRow {
  readonly item: ListingItem;
  /** Percent of an upload, or null. */
  readonly pending: number | null;
  readonly attributes: {
    readonly 'data-id': number;
    readonly 'aria-selected': boolean;
    readonly tabIndex: number;
    readonly draggable: boolean;
    readonly style: CSSProperties;
    readonly 'data-drop': true | undefined;
    readonly 'data-dragged': true | undefined;
    readonly 'data-pending': true | undefined;
    readonly 'data-faded': true | undefined;
    readonly 'data-broken': true | undefined;
  };
}

/** What a row of any view shows. Renders again only when something of this entry changes. */
export function useEntryRow({ model, id, topPx, startPx, isDraggable }: EntryRowProps): EntryRow {
  const state = useSyncExternalStore(model.subscribe, () => model.rowState(id));
  const item = model.item(id);
  const pending = model.pendingPercent(id);
  const has = (bit: number): true | undefined => (state & bit) !== 0 || undefined;
  return {
    item,
    pending,
    attributes: {
      'data-id': id,
      'aria-selected': has(rowBits.selected) ?? false,
      tabIndex: has(rowBits.tabStop) ? 0 : -1,
      draggable: isDraggable && pending === null,
      style: { insetInlineStart: `${startPx}px`, transform: `translateY(${topPx}px)` },
      'data-drop': has(rowBits.drop),
      'data-dragged': has(rowBits.dragged),
      'data-pending': pending !== null || undefined,
      'data-faded': item.name.startsWith('.') || undefined,
      'data-broken': item.type === 'invalid_link' || undefined,
    },
  };
}
