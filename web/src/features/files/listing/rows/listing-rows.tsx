import type { ViewMode } from '@filestead/contract/users';
import { memo, useSyncExternalStore } from 'react';
import { formatNumber } from '../../../../i18n/format.ts';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import type { EntryRowProps } from './entry-row.ts';
import type { ColumnSet } from '../columns.tsx';
import { ListRow } from './list-row.tsx';
import { type ListingLayout, type Section, slimTilePx } from '../model/listing-geometry.ts';
import type { ListingModel } from '../model/listing-model.ts';
import styles from '../listing.module.css';
import { Tile } from './tile.tsx';
import type { RowWindow } from './window-tracker.ts';

type RowSettings = Pick<
  EntryRowProps,
  | 'isDraggable'
  | 'isExactDate'
  | 'isPhone'
  | 'languageTag'
  | 'thumbnailUrl'
  | 'folderCover'
  | 'pace'
  | 'scattered'
>;

export interface ListingRowsProps extends RowSettings {
  readonly model: ListingModel;
  readonly view: ViewMode;
  readonly columns: ColumnSet;
  readonly geometry: ListingLayout;
  readonly window: RowWindow;
  /** The entry that is being renamed. */
  readonly renaming: number | null;
  /** The model's order version; rows are placed again when it increases. */
  readonly orderVersion: number;
}

/** Renders the rows of the window, and those that must stay in the page wherever they are. */
export const ListingRows = memo(function ListingRows(props: ListingRowsProps) {
  const { geometry } = props;
  const { t } = useTranslation('listing');
  const sorted = useRenderedPositions(props);
  return geometry.sections.map((section) => (
    <SectionRows
      key={section.kind}
      {...props}
      section={section}
      label={props.scattered?.heading ?? t(section.kind)}
      positions={sorted.filter(
        (position) => position >= section.position && position < section.position + section.count,
      )}
    />
  ));
});

/** Returns the positions of the entries in the window, and of those that must stay in the page, in ascending order. */
export function useRenderedPositions({
  model,
  geometry,
  window,
  renaming,
}: Pick<ListingRowsProps, 'model' | 'geometry' | 'window' | 'renaming'>): readonly number[] {
  const { first, last } = geometry.positionsOf(window.firstRow, window.lastRow);
  // The focus would be lost with the cursor's row, and the `dragend` event goes to the row on which the drag started.
  const pinned = useSyncExternalStore(model.subscribe, () =>
    [model.cursor, model.dragSource, renaming]
      .map((id) => (id === null ? null : model.position(id)))
      .filter((position) => position !== null && (position < first || position > last))
      .join(' '),
  );
  const positions = pinned === '' ? [] : pinned.split(' ').map(Number);
  for (let position = first; position <= last; position++) positions.push(position);
  return [...new Set(positions)].toSorted((a, b) => a - b);
}

interface SectionRowsProps extends ListingRowsProps {
  readonly section: Section;
  readonly label: string;
  /** The positions of the rendered rows. */
  readonly positions: readonly number[];
}

/** Renders the rows of one part of the listing, with its heading. */
export function SectionRows({ section, label, positions, ...props }: SectionRowsProps) {
  const { model, view, geometry, window } = props;
  const settings: RowSettings = {
    isDraggable: props.isDraggable,
    isExactDate: props.isExactDate,
    isPhone: props.isPhone,
    languageTag: props.languageTag,
    thumbnailUrl: props.thumbnailUrl,
    folderCover: props.folderCover,
    pace: props.pace,
    scattered: props.scattered,
  };
  const total = model.expectedCount;
  const isHeadingNear = section.row + section.rows > window.firstRow && section.row <= window.lastRow;
  return (
    <div role={view === 'list' ? 'rowgroup' : 'group'} aria-label={label || undefined}>
      {isHeadingNear && label && (
        <div
          className={styles.heading}
          style={{ transform: `translateY(${section.headingTopPx - window.shiftPx}px)` }}
          aria-hidden="true"
        >
          {label} <span className={styles.count}>{formatNumber(section.count)}</span>
        </div>
      )}
      {positions.map((position) => {
        const id = model.idAt(position);
        if (id === null) return null;
        const row: EntryRowProps = {
          ...settings,
          model,
          id,
          position,
          total,
          topPx: geometry.topOf(position) - window.shiftPx,
          startPx: geometry.startOf(position),
        };
        return view === 'list' ? (
          <ListRow key={id} {...row} columns={props.columns} />
        ) : (
          <Tile key={id} {...row} isSlim={section.itemHeightPx === slimTilePx} />
        );
      })}
    </div>
  );
}
