import { columnKeys, type ColumnKey } from '@filestead/contract/values/listing-columns';
import type { CSSProperties, ReactNode } from 'react';
import { formatPercent } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';
import styles from './entry.module.css';
import type { ListingItem } from './model/listing-entries.ts';
import {
  EntryDate,
  EntryName,
  EntryPicture,
  entryNote,
  type EntryPictureProps,
} from './rows/entry-parts.tsx';

/** The input of a cell. */
export interface CellProps {
  readonly item: ListingItem;
  /** Percent of an upload, or null. */
  readonly pending: number | null;
  readonly isPhone: boolean;
  /** Dates to the second instead of "Today 14:02". */
  readonly isExactDate: boolean;
  readonly thumbnailUrl: EntryPictureProps['thumbnailUrl'];
  readonly pace: EntryPictureProps['pace'];
}

/** The appearance of one column of the list view. */
interface ColumnLayout {
  /** In px, on a wide listing and below 620 px; null takes the rest of the row. */
  readonly width: { readonly widePx: number; readonly narrowPx: number } | null;
  readonly align: 'start' | 'end';
  /** The width of the listing below which the column is hidden, on the desktop: `narrow` 500 px, `medium` 760 px. */
  readonly hiddenBelow?: 'narrow' | 'medium';
  /** The position in the two lines of a row on the phone; without one the column is hidden there. */
  readonly phone?: 'name' | 'first' | 'second';
  /** Returns the content of a cell; null shows a dash. */
  readonly cell: (props: CellProps) => ReactNode;
}

/** The cells, widths and places of the columns; the contract defines their order and sorting. */
const layouts: Readonly<Record<ColumnKey, ColumnLayout>> = {
  name: {
    width: null,
    align: 'start',
    phone: 'name',
    cell: ({ item, pending, isPhone, thumbnailUrl, pace }) => (
      <>
        <span className={styles.check} data-part="check" aria-hidden="true" />
        <EntryPicture
          item={item}
          size={isPhone ? 24 : 20}
          thumbnailUrl={thumbnailUrl}
          pace={pace}
          isUncropped={false}
          pending={pending}
        />
        <EntryName name={item.name} />
      </>
    ),
  },
  kind: {
    width: { widePx: 128, narrowPx: 112 },
    align: 'start',
    hiddenBelow: 'medium',
    cell: ({ item }) => <bdi>{i18n.t(`files:kinds.${item.type || 'folder'}`)}</bdi>,
  },
  size: {
    width: { widePx: 112, narrowPx: 88 },
    align: 'end',
    phone: 'first',
    cell: ({ item, pending, isPhone }) => {
      const note = entryNote(item, pending);
      if (note === '') return null;
      if (pending === null || isPhone) return <bdi>{note}</bdi>;
      return (
        <>
          {/* The column is too narrow for the note; the ring around the picture shows that this is an upload. */}
          <bdi aria-hidden="true">{formatPercent(pending / 100)}</bdi>
          <span className="visually-hidden">{note}</span>
        </>
      );
    },
  },
  modified: {
    width: { widePx: 184, narrowPx: 128 },
    align: 'start',
    hiddenBelow: 'narrow',
    phone: 'second',
    cell: ({ item, isExactDate }) => <EntryDate atMs={item.modifiedMs} isExact={isExactDate} />,
  },
};

/** The attributes that the header and the cells of a column have in common. */
interface ColumnAttributes {
  readonly 'aria-colindex': number;
  readonly 'data-column': ColumnKey;
  readonly 'data-align': 'start' | 'end';
  readonly 'data-hidden-below': ColumnLayout['hiddenBelow'];
  readonly 'data-phone': ColumnLayout['phone'];
  readonly style: CSSProperties | undefined;
}

/** The columns of the list view, in their order. Header and rows read this list. */
export const listColumns: readonly {
  readonly key: ColumnKey;
  readonly cell: ColumnLayout['cell'];
  readonly attributes: ColumnAttributes;
}[] = columnKeys.map((key, index) => {
  const { width, align, hiddenBelow, phone, cell } = layouts[key];
  return {
    key,
    cell,
    attributes: {
      'aria-colindex': index + 1,
      'data-column': key,
      'data-align': align,
      'data-hidden-below': hiddenBelow,
      'data-phone': phone,
      style:
        width === null
          ? undefined
          : ({ '--column': `${width.widePx}px`, '--column-narrow': `${width.narrowPx}px` } as CSSProperties),
    },
  };
});
