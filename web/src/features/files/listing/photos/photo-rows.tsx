import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { formatNumber, formatPercent, pluralValues } from '../../../../i18n/format.ts';
import { useTranslation } from '../../../../i18n/use-translation.ts';
import parts from '../../../../ui/selection/row-parts.module.css';
import { placeName } from '../../entries/place-name.ts';
import type { EntryRowProps } from '../rows/entry-row.ts';
import { type ListingRowsProps, SectionRows, useRenderedPositions } from '../rows/listing-rows.tsx';
import type { RowWindow } from '../rows/window-tracker.ts';
import { formatPeriod } from './photo-dates.ts';
import { maxRatio, minRatio, type PhotoGroup, type PhotoLayout } from './photo-layout.ts';
import { PhotoTile } from './photo-tile.tsx';
import type { PhotoView } from './photo-view.ts';
import styles from './photos.module.css';

export interface PhotoRowsProps
  extends
    Pick<ListingRowsProps, 'columns'>,
    Pick<
      EntryRowProps,
      | 'model'
      | 'isDraggable'
      | 'isExactDate'
      | 'isPhone'
      | 'languageTag'
      | 'thumbnailUrl'
      | 'pace'
      | 'scattered'
    > {
  readonly layout: PhotoLayout;
  readonly view: PhotoView;
  readonly window: RowWindow;
  /** The name of the listing. */
  readonly label: string;
  /** The entry that is being renamed. */
  readonly renaming: number | null;
  /** The model's order version; photos are placed again when it increases. */
  readonly orderVersion: number;
  readonly scrollerRef: RefObject<HTMLElement | null>;
}

/** Renders the photos of the window in their rows, and the headings of their days. */
export const PhotoRows = memo(function PhotoRows(props: PhotoRowsProps) {
  const { model, layout, view, window, label, scrollerRef } = props;
  const { t } = useTranslation('listing');
  const positions = useRenderedPositions({ ...props, geometry: layout });
  // A new layout has other photos at the same positions.
  useLayoutEffect(() => {
    const { first, last } = layout.positionsOf(window.firstRow, window.lastRow);
    view.show({ first, last });
  }, [view, layout, window]);
  useEffect(() => {
    const scroller = scrollerRef.current;
    const onScroll = (): void => view.onScroll();
    scroller?.addEventListener('scroll', onScroll, { passive: true });
    return () => scroller?.removeEventListener('scroll', onScroll);
  }, [scrollerRef, view]);
  const storeSize = useCallback(
    (id: number, width: number, height: number) => view.storeLoaded(id, width, height),
    [view],
  );
  const isSettled = useSyncExternalStore(view.subscribe, () => view.isSettled);
  const [folders] = layout.sections;
  const groups = layout.groupsOf(window.firstRow, window.lastRow);
  return (
    <>
      <div
        role="listbox"
        aria-label={label}
        aria-multiselectable="true"
        data-settling={!isSettled || undefined}
      >
        {folders && (
          <SectionRows
            {...props}
            view="mosaic gallery"
            geometry={layout}
            section={folders}
            label={t('folders')}
            positions={positions.filter((position) => position < folders.count)}
          />
        )}
        <GroupedTiles {...props} positions={positions} onSize={storeSize} />
      </div>
      {groups.map((group) => (
        <GroupHead
          key={`${group.timeMs ?? ''} ${group.position}`}
          model={model}
          layout={layout}
          view={view}
          group={group}
          window={window}
        />
      ))}
    </>
  );
});

type ListingTexts = ReturnType<typeof useTranslation<'listing'>>['t'];

interface GroupedTilesProps extends PhotoRowsProps {
  /** The positions of the rendered entries, in ascending order. */
  readonly positions: readonly number[];
  readonly onSize: (id: number, width: number, height: number) => void;
}

/** Returns the name of a group for the screen; null for photos that are not grouped. */
function groupLabel(
  { timeMs, place }: PhotoGroup,
  { layout, view, t }: { layout: PhotoLayout; view: PhotoView; t: ListingTexts },
): string | null {
  if (timeMs !== null) return formatPeriod(timeMs, layout.grouping === 'month' ? 'month' : 'day');
  if (place === null) return null;
  const known = view.sizes.placeAt(place);
  return known === null ? t('noPlace') : placeName(known);
}

function GroupedTiles({ positions, onSize, ...props }: GroupedTilesProps) {
  const { model, layout, view, window } = props;
  const { t } = useTranslation('listing');
  const { sizes } = view;
  const total = model.expectedCount;
  const rendered = new Map<PhotoGroup, number[]>();
  for (const position of positions) {
    const [group] = layout.groupsOf(layout.rowOf(position), layout.rowOf(position));
    if (group === undefined || position < group.position) continue;
    const known = rendered.get(group);
    if (known === undefined) rendered.set(group, [position]);
    else known.push(position);
  }
  return [...rendered].map(([group, inGroup]) => (
    <div key={group.position} role="group" aria-label={groupLabel(group, { layout, view, t }) ?? t('files')}>
      {inGroup.map((position) => {
        const id = model.idAt(position);
        if (id === null) return null;
        const ratio = sizes.ratioOf(id);
        return (
          <PhotoTile
            key={id}
            model={model}
            id={id}
            position={position}
            total={total}
            topPx={layout.topOf(position) - window.shiftPx}
            startPx={layout.startOf(position)}
            widthPx={layout.widthOf(position)}
            heightPx={layout.itemHeightOf(position)}
            isDraggable={props.isDraggable}
            isExactDate={props.isExactDate}
            isPhone={props.isPhone}
            languageTag={props.languageTag}
            thumbnailUrl={props.thumbnailUrl}
            pace={props.pace}
            scattered={props.scattered}
            isExact={sizes.isSizeKnown(id) && ratio >= minRatio && ratio <= maxRatio}
            seconds={sizes.secondsOf(id)}
            onSize={onSize}
          />
        );
      })}
    </div>
  ));
}

interface GroupHeadProps extends Pick<PhotoRowsProps, 'model' | 'layout' | 'view' | 'window'> {
  readonly group: PhotoGroup;
}

/** The distance by which the area of a heading extends beyond the window, in px; headings stick within it. */
const areaMarginPx = 2_000;

/** The heading of a day or place: its date and places, or its name, the number of photos, and a checkbox for all of them. It stays at the top while its photos pass. */
function GroupHead({ model, layout, view, group, window }: GroupHeadProps) {
  const { t } = useTranslation('listing');
  const state = useSyncExternalStore(model.subscribe, () => selectionOf(model, group));
  const { dataVersion } = model;
  const summary = useMemo(
    () => summaryOf(model, group, t),
    // The kinds of the files change with the data only. A new layout has other groups.
    // oxlint-disable-next-line react/exhaustive-deps
    [model, group, dataVersion, t],
  );
  const towns = useMemo(
    () => townsOf(model, view, group).join(t('listComma', { ns: 'common' })),
    [model, view, group, t],
  );
  const { first, last } = layout.positionsOf(window.firstRow, window.lastRow);
  const fromPx = Math.max(group.headTopPx, layout.topOf(first) - areaMarginPx);
  const toPx = Math.min(group.endPx, layout.topOf(last) + layout.itemHeightOf(last) + areaMarginPx);
  const unread = useMemo(() => unreadOf(model, view, group), [model, view, group]);
  const name = groupLabel(group, { layout, view, t });
  const label = name ?? t('files');
  const toggle = (): void => {
    const ids = idsOf(model, group);
    const kept = state === 'true' ? model.selectedIds().filter((id) => !ids.has(id)) : model.selectedIds();
    model.select(state === 'true' ? kept : [...kept, ...ids]);
  };
  return (
    <div
      className={styles.area}
      style={{
        transform: `translateY(${fromPx - window.shiftPx}px)`,
        blockSize: `${Math.max(0, toPx - fromPx)}px`,
      }}
    >
      <div className={styles.header} data-selected={state !== 'false' || undefined}>
        <button
          type="button"
          role="checkbox"
          className={`${parts.checkbox} ${styles.tick}`}
          aria-checked={state}
          aria-label={t('selectGroup', { group: label })}
          onClick={toggle}
        />
        {group.timeMs === null ? (
          <span className={styles.date}>{label}</span>
        ) : (
          <time className={styles.date} dateTime={new Date(group.timeMs).toISOString()}>
            {label}
          </time>
        )}
        {towns !== '' && (
          <span className={styles.note}>
            <bdi>{towns}</bdi>
          </span>
        )}
        <span className={styles.note}>
          <bdi>{name === null ? formatNumber(group.count) : summary}</bdi>
        </span>
        {unread > 0 && (
          <span className={styles.note}>
            {t('readingPlaces', { percent: formatPercent(1 - unread / Math.max(unread, model.mediaCount)) })}
          </span>
        )}
      </div>
    </div>
  );
}

function idsOf(model: PhotoRowsProps['model'], { position, count }: PhotoGroup): Set<number> {
  return new Set(model.order.subarray(position, position + count));
}

function selectionOf(
  model: PhotoRowsProps['model'],
  { position, count }: PhotoGroup,
): 'true' | 'false' | 'mixed' {
  if (model.selectedCount === 0) return 'false';
  let selected = 0;
  for (const id of model.order.subarray(position, position + count)) if (model.isSelected(id)) selected += 1;
  if (selected === 0) return 'false';
  return selected === count ? 'true' : 'mixed';
}

/** Returns the number of photos without a known place whose headers have not been read yet. */
function unreadOf(
  model: PhotoRowsProps['model'],
  { sizes }: PhotoView,
  { position, count, place }: PhotoGroup,
): number {
  if (place !== 0) return 0;
  let unread = 0;
  for (const id of model.order.subarray(position, position + count))
    if (model.isMedia(id) && !sizes.isKnown(id)) unread += 1;
  return unread;
}

/** The maximum number of towns in a heading. */
const maxTowns = 2;

/** Returns the towns in which most photos of a day or month were taken. */
function townsOf(
  model: PhotoRowsProps['model'],
  { sizes }: PhotoView,
  { position, count, timeMs }: PhotoGroup,
): string[] {
  if (timeMs === null || count > maxCounted) return [];
  const counts = new Map<string, number>();
  for (const id of model.order.subarray(position, position + count)) {
    const town = sizes.placeOf(id)?.town;
    if (town !== undefined) counts.set(town, (counts.get(town) ?? 0) + 1);
  }
  const frequent = [...counts].toSorted(([, one], [, other]) => other - one);
  return frequent.slice(0, maxTowns).map(([town]) => town);
}

/** Groups of more files are not counted by kind. */
const maxCounted = 5_000;

/** Returns the number of photos, videos and other files of a group. */
function summaryOf(model: PhotoRowsProps['model'], { position, count }: PhotoGroup, t: ListingTexts): string {
  const numbers = { photos: 0, videos: 0, others: 0 };
  if (count > maxCounted) return t('itemCount', pluralValues(count));
  for (const id of model.order.subarray(position, position + count)) {
    const { type } = model.item(id);
    numbers[type === 'image' ? 'photos' : type === 'video' ? 'videos' : 'others'] += 1;
  }
  return [
    numbers.photos > 0 && t('photoCount', pluralValues(numbers.photos)),
    numbers.videos > 0 && t('videoCount', pluralValues(numbers.videos)),
    numbers.others > 0 && t('otherCount', pluralValues(numbers.others)),
  ]
    .filter((part) => part !== false)
    .join(t('listComma', { ns: 'common' }));
}
