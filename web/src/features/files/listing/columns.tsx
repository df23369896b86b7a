import { columnKeys, type ColumnKey } from '@filestead/contract/values/listing-columns';
import type { CSSProperties, ReactNode } from 'react';
import { formatPercent } from '../../../i18n/format.ts';
import { SizeBar } from '../../../ui/feedback/size-bar.tsx';
import parts from '../../../ui/selection/row-parts.module.css';
import styles from './entry.module.css';
import { kindName } from './rows/kind-name.ts';
import type { ScatteredLook } from './listing-options.ts';
import type { ListingItem } from './model/listing-entries.ts';
import { EntryLink, EntryName } from './rows/entry-name.tsx';
import { EntryPicture, type EntryPictureProps } from './rows/entry-picture.tsx';
import { EntryDate, entryAge, entryNote, itemCount } from './rows/entry-texts.tsx';

/** The input of a cell. */
export interface CellProps {
  readonly item: ListingItem;
  /** Percent of an upload, or null. */
  readonly pending: number | null;
  /** The fraction of the entry in the size of the shown ones, from 0 to 1, or null. */
  readonly sizeFraction: number | null;
  readonly isPhone: boolean;
  /** Dates to the second instead of "Today 14:02". */
  readonly isExactDate: boolean;
  readonly thumbnailUrl: EntryPictureProps['thumbnailUrl'];
  readonly pace: EntryPictureProps['pace'];
  readonly scattered: ScatteredLook | undefined;
}

/** The ranges of the listing's width, each with its own widths of columns; their limits are in `listing.module.css`. */
const bands = ['narrow', 'medium', 'normal', 'large', 'wide'] as const;
type Band = (typeof bands)[number];

/** The columns: those of the contract, by which the list is sorted, and the tags. */
type ListColumnKey = ColumnKey | 'tags';

/** The appearance of one column of the list view. */
interface ColumnLayout {
  /** The width in each band, as a track of a CSS grid; null hides the column. */
  readonly tracks: Readonly<Record<Band, string | null>>;
  readonly align: 'start' | 'end';
  /** The position in the two lines of a row on the phone; without one the column is hidden there. */
  readonly phone?: 'name' | 'first' | 'second';
  /** Returns the content of a cell; null shows a dash. */
  readonly cell: (props: CellProps) => ReactNode;
}

/** Returns the width of the column of dates; exact ones need more. */
const dateTrack = (px: number): string => `calc(${px}px + var(--exact-date, 0px))`;

/** The cells, widths and places of the columns; the contract defines their order and sorting. */
const layouts: Readonly<Record<ColumnKey, ColumnLayout>> = {
  name: {
    // Includes the 44 px of the checkbox.
    tracks: {
      narrow: 'minmax(0, 1fr)',
      medium: 'minmax(244px, 1fr)',
      normal: 'minmax(264px, 1fr)',
      large: 'minmax(364px, 1fr)',
      wide: 'minmax(364px, 604px)',
    },
    align: 'start',
    phone: 'name',
    cell: ({ item, pending, isPhone, thumbnailUrl, pace, scattered }) => (
      <>
        <span className={`${parts.checkbox} ${styles.check}`} data-part="check" aria-hidden="true" />
        <EntryPicture
          item={item}
          size={isPhone ? 36 : 22}
          thumbnailUrl={thumbnailUrl}
          pace={pace}
          isUncropped={false}
          pending={pending}
        />
        {scattered ? <EntryLink>{scattered.name(item)}</EntryLink> : <EntryName name={item.name} />}
      </>
    ),
  },
  kind: {
    tracks: { narrow: null, medium: null, normal: '148px', large: '172px', wide: 'minmax(172px, 1fr)' },
    align: 'start',
    cell: ({ item }) => kindText(item),
  },
  size: {
    tracks: { narrow: '84px', medium: '84px', normal: '92px', large: '104px', wide: '104px' },
    align: 'end',
    phone: 'first',
    cell: ({ item, pending, sizeFraction, isPhone }) => {
      const note = entryNote(item, pending);
      if (note === '') return null;
      if (pending === null || isPhone) {
        const age = entryAge(item);
        const count = isPhone && itemCount(item);
        return (
          <>
            {count && <bdi className={styles.itemCount}>{count}</bdi>}
            <bdi>{note}</bdi>
            {age !== null && (
              <span className={styles.age} title={age}>
                {age}
              </span>
            )}
            {sizeFraction !== null && !isPhone && <SizeBar fraction={sizeFraction} />}
          </>
        );
      }
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
    tracks: {
      narrow: null,
      // "Yesterday 11:50 PM" fits, the longest date of this form in any language.
      medium: dateTrack(156),
      normal: dateTrack(156),
      large: dateTrack(172),
      wide: `minmax(${dateTrack(172)}, 1fr)`,
    },
    align: 'start',
    phone: 'second',
    cell: ({ item, isExactDate, scattered }) => {
      const atMs = scattered?.dateOf?.(item) ?? item.modifiedMs;
      return Number.isNaN(atMs) ? null : <EntryDate atMs={atMs} isExact={isExactDate} />;
    },
  },
};

/** The attributes that the header and the cells of a column have in common. */
interface ColumnAttributes {
  readonly 'aria-colindex': number;
  readonly 'data-column': ListColumnKey;
  readonly 'data-align': 'start' | 'end';
  /** The bands in which the column is hidden. */
  readonly 'data-hidden': string | undefined;
  readonly 'data-phone': ColumnLayout['phone'];
}

type Layouts = Readonly<Record<ColumnKey, ColumnLayout> & { tags?: ColumnLayout }>;

/**
 * In wide windows tags have a column of their own, after the kind. The widths are such that the text of a neighboring column is at most
 * 520 px away in a row without tags. Both this cell and that of the name contain the tags, and styles show one of the two.
 */
const taggedLayouts: Layouts = {
  ...layouts,
  kind: { ...layouts.kind, tracks: { ...layouts.kind.tracks, wide: '172px' } },
  tags: {
    tracks: { narrow: null, medium: null, normal: null, large: null, wide: 'minmax(172px, 292px)' },
    align: 'start',
    cell: () => null,
  },
};

/** The column of the kind, which contains the folder in a listing of several folders. */
const scatteredLayouts: Layouts = {
  ...layouts,
  name: { ...layouts.name, tracks: { ...layouts.name.tracks, wide: 'minmax(364px, 1fr)' } },
  kind: {
    tracks: {
      narrow: null,
      medium: 'minmax(120px, 0.6fr)',
      normal: 'minmax(148px, 1fr)',
      large: 'minmax(172px, 1fr)',
      wide: 'minmax(172px, 1fr)',
    },
    align: 'start',
    phone: 'first',
    cell: ({ item, scattered }) => scattered?.location(item),
  },
  size: { tracks: layouts.size.tracks, align: 'end', cell: layouts.size.cell },
  modified: {
    ...layouts.modified,
    tracks: { ...layouts.modified.tracks, wide: dateTrack(172) },
  },
};

/** A column of the list view, for header and rows. */
interface ListColumn {
  readonly key: ListColumnKey;
  readonly cell: ColumnLayout['cell'];
  readonly attributes: ColumnAttributes;
}

/** Returns the columns in their order. */
function layoutsOf(from: Layouts): (readonly [ListColumnKey, ColumnLayout])[] {
  const ordered: (readonly [ListColumnKey, ColumnLayout])[] = [];
  for (const key of columnKeys) {
    ordered.push([key, from[key]]);
    if (key === 'kind' && from.tags) ordered.push(['tags', from.tags]);
  }
  return ordered;
}

const columnsOf = (from: Layouts): readonly ListColumn[] =>
  layoutsOf(from).map(([key, { tracks, align, phone, cell }], index) => {
    const hidden = bands.filter((band) => tracks[band] === null).join(' ');
    return {
      key,
      cell,
      attributes: {
        'aria-colindex': index + 1,
        'data-column': key,
        'data-align': align,
        'data-hidden': hidden === '' ? undefined : hidden,
        'data-phone': phone,
      },
    };
  });

/** The width of the column for the menu at the end of a row. */
const menuTracks: Readonly<Record<Band, string>> = {
  narrow: '44px',
  medium: '44px',
  normal: '44px',
  large: '56px',
  wide: '56px',
};

const tracksOf = (from: Layouts): CSSProperties =>
  Object.fromEntries(
    bands.map((band) => [
      `--columns-${band}`,
      [...layoutsOf(from).map(([, { tracks }]) => tracks[band]), menuTracks[band]]
        .filter((track) => track !== null)
        .join(' '),
    ]),
  ) as CSSProperties;

/** The columns of a kind of listing, in their order, and their widths in each band as custom properties `--columns-<band>`. */
export interface ColumnSet {
  readonly columns: readonly ListColumn[];
  readonly tracks: CSSProperties;
}

const setOf = (from: Layouts): ColumnSet => ({ columns: columnsOf(from), tracks: tracksOf(from) });

/** The columns of a folder, of one whose entries have tags, and of entries of several folders. */
export const columnSets = {
  plain: setOf(layouts),
  tagged: setOf(taggedLayouts),
  scattered: setOf(scatteredLayouts),
} as const;

/** Returns the kind of an entry, and the number of entries in a folder if it is known: "Folder · 18 items". */
function kindText(item: ListingItem): string {
  const count = itemCount(item);
  return count === null ? kindName(item) : `${kindName(item)} · ${count}`;
}
