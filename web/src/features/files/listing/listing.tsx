import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { prepareFormats } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { RefreshCw } from '../../../ui/icons.ts';
import { lazyPart, useLazyPart } from '../../../ui/overlays/lazy-part.ts';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { columnSets, type ColumnSet } from './columns.tsx';
import { ColumnHeader } from './rows/column-header.tsx';
import { imageHeightPx, type Measures, pocketHeightPx, slimTilePx } from './model/listing-geometry.ts';
import type { ListingProps } from './listing-options.ts';
import { ListingRows } from './rows/listing-rows.tsx';
import { ListingSkeleton } from './rows/listing-skeleton.tsx';
import styles from './listing.module.css';
import { NewFolderField } from './rows/new-folder-field.tsx';
import { RenameField } from './rows/rename-field.tsx';
import { ScrollPace } from './dragging/scroll-pace.ts';
import type { ListingSurface } from './surface.ts';
import { type RowWindowState, type ShownPhotos, useRowWindow } from './rows/use-row-window.ts';
import { useListingHandle } from './use-listing-handle.ts';
import { useSurface } from './use-surface.ts';

const photosPart = lazyPart(() => import('./photos/photos-part.ts'));

/**
 * Shows any number of entries of a folder as list, tiles or photos. Handles moving, selecting and dragging; other
 * keys are left to outer listeners.
 */
export function Listing(props: ListingProps) {
  // Each folder has its own listing, without state of the previous one.
  return <ModelListing key={props.model.key} {...props} />;
}

function ModelListing(props: ListingProps) {
  const { model, view, sorting, handleRef } = props;
  const { t } = useTranslation('listing');
  const { languageTag } = useLocale();
  const isPhone = useIsPhone();
  const scrollerRef = useRef<HTMLDivElement>(null);
  const surfaceRef = useRef<ListingSurface>(null);
  const emptyRef = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState<number | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [isDraggable, setIsDraggable] = useState(true);
  const [pace] = useState(() => new ScrollPace());

  const { by, asc } = sorting ?? {};
  useLayoutEffect(() => {
    if (by !== undefined && asc !== undefined) model.sort({ by, asc });
  }, [model, by, asc]);
  const photos = useShownPhotos(props);
  useEffect(() => {
    // While the entries are on the way; also for the next listings, since formatters are kept.
    const timer = setTimeout(prepareFormats);
    return () => clearTimeout(timer);
  }, []);
  const rows = useRowWindow(
    model,
    view,
    isPhone,
    scrollerRef,
    {
      ...props,
      hasExcerpts: props.scattered?.excerpt !== undefined,
      hasPockets: props.folderCover !== undefined,
      headingPx: props.scattered?.heading === '' ? 0 : undefined,
    },
    isCreating,
    photos,
  );
  const { geometry, photoLayout, tracker, window } = rows;
  const isMeasured = rows.isMeasured && (view !== 'mosaic gallery' || photoLayout !== null);
  const phase = useSyncExternalStore(model.subscribe, () => model.phase);
  const isMoving = useSyncExternalStore(model.subscribe, () => model.isMoving);
  const onPointerKind = useCallback((kind: string) => setIsDraggable(kind !== 'touch'), []);
  const root = useSurface(surfaceRef, {
    props,
    rows,
    pace,
    scrollerRef,
    onPointerKind,
    startRename: setRenaming,
  });

  useListingHandle(handleRef, { model, tracker, surfaceRef, emptyRef, setCreating, setRenaming });

  const isEmpty = geometry.count === 0 && !isCreating;
  const isLoaded = phase === 'ready' || phase === 'reloading';
  const isWaiting = useDelayedFlag(isEmpty && !isLoaded);
  const isPending = isWaiting ? isEmpty || !isMeasured : isEmpty && !isLoaded;
  const isList = view === 'list';
  const { measures } = geometry;
  const columns = columnSets[props.scattered ? 'scattered' : props.hasTags ? 'tagged' : 'plain'];
  const rowProps = {
    model,
    columns,
    window,
    renaming,
    orderVersion: rows.orderVersion,
    isDraggable,
    isExactDate: props.isExactDate,
    isPhone,
    languageTag,
    thumbnailUrl: props.thumbnailUrl,
    folderCover: props.folderCover,
    pace,
    scattered: props.scattered,
  };
  return (
    <div
      ref={root}
      className={styles.root}
      data-view={view}
      data-sort={by}
      data-moving={isMoving || undefined}
      data-tagged={props.hasTags || undefined}
      aria-busy={phase === 'loading'}
      style={styleOf(measures, columns, props.isExactDate, isPhone)}
    >
      <div ref={scrollerRef} className={styles.scroller}>
        {isEmpty && !isPending && (
          <div ref={emptyRef} className={styles.empty} tabIndex={-1}>
            {props.emptyState}
          </div>
        )}
        {(isPending || (!isEmpty && isMeasured)) && (
          <div
            className={styles.content}
            inert={isPending}
            style={{ blockSize: isPending ? undefined : `${tracker.physicalPx}px` }}
            // The headings of days are beside the listbox of photos, not in it.
            {...(!isPending &&
              photoLayout === null && {
                role: isList ? 'grid' : 'listbox',
                'aria-label': t('label', { folder: props.folderName }),
                'aria-multiselectable': true,
              })}
            {...(!isPending &&
              isList && {
                // With the row of column headers, which phones do not show.
                'aria-rowcount': model.expectedCount + (isPhone ? 0 : 1),
                'aria-colcount': columns.columns.length,
              })}
          >
            {isList && !isPhone && (
              <ColumnHeader
                model={model}
                columns={columns}
                onSort={props.onSort}
                scattered={props.scattered}
                sorting={sorting}
              />
            )}
            {isPending ? (
              isWaiting && <ListingSkeleton columns={columns} />
            ) : photoLayout === null || photos === null ? (
              <ListingRows {...rowProps} view={view} geometry={geometry} />
            ) : (
              <photos.part.PhotoRows
                {...rowProps}
                layout={photoLayout}
                view={photos.view}
                label={t('label', { folder: props.folderName })}
                scrollerRef={scrollerRef}
              />
            )}
          </div>
        )}
        {isMeasured && (
          <NameFields
            props={props}
            rows={rows}
            isCreating={isCreating}
            setCreating={setCreating}
            renaming={renaming}
            setRenaming={setRenaming}
            surfaceRef={surfaceRef}
          />
        )}
      </div>
      {photos !== null &&
        photoLayout !== null &&
        photos.grouping !== null &&
        photos.grouping !== 'place' &&
        !isEmpty &&
        isMeasured && (
          <photos.part.Scrubber
            layout={photoLayout}
            tracker={tracker}
            scrollerRef={scrollerRef}
            isPhone={isPhone}
            period={photos.grouping}
            languageTag={languageTag}
            onScrollTo={(virtualPx) => surfaceRef.current?.scrollTo(virtualPx)}
          />
        )}
      <div className={styles.dropEdge} aria-hidden="true" />
      <div className={styles.pull} data-layer="pull" aria-hidden="true" hidden>
        <RefreshCw />
      </div>
      <div className={styles.marquee} data-layer="marquee" hidden />
      <div className="visually-hidden" data-layer="live" role="status" />
    </div>
  );
}

/** Returns the sizes of the layout as custom properties for the styles. */
const styleOf = (measures: Measures, columns: ColumnSet, isExactDate: boolean, isPhone: boolean) =>
  ({
    '--item-width': `${measures.itemWidthPx}px`,
    '--item-height': `${measures.itemHeightPx}px`,
    '--folder-height': `${measures.folderHeightPx}px`,
    '--pocket-height': `${pocketHeightPx(isPhone)}px`,
    '--image-height': `${imageHeightPx(measures)}px`,
    '--side': `${measures.sidePx}px`,
    '--head-height': `${measures.stickyPx}px`,
    ...(isExactDate && { '--exact-date': '44px' }),
    ...columns.tracks,
  }) as CSSProperties;

interface NameFieldsProps {
  props: ListingProps;
  rows: RowWindowState;
  isCreating: boolean;
  setCreating: (isCreating: boolean) => void;
  /** The id of the entry that is renamed; null for none. */
  renaming: number | null;
  setRenaming: (id: number | null) => void;
  surfaceRef: RefObject<ListingSurface | null>;
}

/** The fields over the rows, in which a new folder and an entry are named. */
function NameFields({
  props,
  rows,
  isCreating,
  setCreating,
  renaming,
  setRenaming,
  surfaceRef,
}: NameFieldsProps) {
  const { model } = props;
  const { geometry, window } = rows;
  const renamingAt = renaming === null ? null : model.position(renaming);
  return (
    <>
      {isCreating && (
        <NewFolderField
          topPx={geometry.newRow.topPx - window.shiftPx}
          heightPx={geometry.newRow.heightPx}
          startPx={geometry.measures.sidePx}
          check={(newName) => props.checkName?.(null, newName) ?? null}
          create={async (newName) => (await props.onCreateFolder?.(newName)) ?? null}
          onDone={(isByKey) => {
            flushSync(() => setCreating(false));
            if (isByKey) surfaceRef.current?.focusCursor();
          }}
        />
      )}
      {renaming !== null && renamingAt !== null && (
        <RenameField
          key={renaming}
          name={model.name(renaming)}
          isFolder={model.isFolder(renaming)}
          topPx={geometry.topOf(renamingAt) - window.shiftPx}
          startPx={geometry.startOf(renamingAt)}
          isTile={props.view !== 'list' && geometry.itemHeightOf(renamingAt) !== slimTilePx}
          heightPx={geometry.itemHeightOf(renamingAt)}
          check={(newName) => props.checkName?.(renaming, newName) ?? null}
          onDone={(newName, isByKey) => {
            setRenaming(null);
            if (isByKey) surfaceRef.current?.focus(renaming);
            if (newName !== null) props.onRename(renaming, newName);
          }}
        />
      )}
    </>
  );
}

/** Returns the photos of a listing that is shown as photos, once that part of the page is loaded; null otherwise. */
function useShownPhotos({
  model,
  view,
  sorting,
  loadMedia,
  photoGroups = 'day',
}: ListingProps): (ShownPhotos & { part: typeof import('./photos/photos-part.ts') }) | null {
  const isNeeded = view === 'mosaic gallery';
  const part = useLazyPart(photosPart, isNeeded, () => undefined);
  const shown = useMemo(
    () => (part === null || !isNeeded ? null : new part.PhotoView(model, loadMedia)),
    [part, isNeeded, model, loadMedia],
  );
  const grouping = sorting?.by === 'modified' ? photoGroups : null;
  useLayoutEffect(() => shown?.groupBy(grouping), [shown, grouping]);
  useEffect(() => shown?.start(), [shown]);
  return useMemo(
    () => (shown === null || part === null ? null : { view: shown, grouping, part }),
    [shown, part, grouping],
  );
}
