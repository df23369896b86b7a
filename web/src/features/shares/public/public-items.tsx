import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useId, useMemo, useRef, useState, type CSSProperties } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Link } from '../../../ui/navigation/router.tsx';
import { formatDateExact, formatNumber, formatRelative, formatSize } from '../../../i18n/format.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LayoutDashboard, List } from '../../../ui/icons.ts';
import { LongName } from '../../../ui/names/long-name.tsx';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { pageConfig } from '../../../api/page-config.ts';
import type { PublicEntry, PublicItem } from './open-public.ts';
import styles from './public-items.module.css';
import { previewOver } from './public-previews.ts';
import type { PublicSelection } from './public-selection.ts';
import { PublicThumbnail } from './public-thumbnail.tsx';
import { usePublicView, type PublicView } from './public-view.ts';
import { usePictureRatios } from './use-picture-ratios.ts';
import { publicAddress } from '../share-address.ts';

/**
 * The number of items rendered at first, and added with each press on the tile that shows how many are left
 * (docs/reference/behaviour.md §9).
 */
const step = 100;

interface PublicItemsProps {
  entry: PublicEntry;
  /** The path of the file in the previewer above this page; its item gets the focus afterwards. */
  previewedPath: VirtualPath | null;
  selection: PublicSelection;
}

/** The items of a shared folder, which can be opened, or selected and downloaded. */
export function PublicItems({ entry, previewedPath, selection }: PublicItemsProps) {
  const { t } = useTranslation('shares');
  const { items } = entry;
  const [view, setView] = usePublicView(items);
  const [limit, setLimit] = useState(step);
  const remaining = items.length - limit;
  const shown = useMemo(() => items.slice(0, limit), [items, limit]);
  const { ratios, isWaiting } = usePictureRatios(entry, shown, view === 'grid' && pageConfig.EnableThumbs);
  const isAll = selection.paths.size === items.length;
  const list = useRef<HTMLDivElement>(null);
  const lastPath = useRef<VirtualPath | null>(null);
  /** The index of the item that gets the focus next. */
  const [returnsTo, setReturnsTo] = useState<number | null>(null);
  useEffect(() => {
    if (previewedPath !== null) {
      lastPath.current = previewedPath;
      return;
    }
    const path = lastPath.current;
    lastPath.current = null;
    if (path === null) return;
    const index = items.findIndex((item) => item.path === path);
    setLimit((before) => Math.max(before, Math.ceil((index + 1) / step) * step));
    setReturnsTo(index);
  }, [previewedPath, items]);
  // Only after the item was rendered and the previewer has released the focus.
  useEffect(() => {
    if (returnsTo === null) return undefined;
    const frame = requestAnimationFrame(() => {
      const item = list.current?.querySelectorAll('[data-item]')[returnsTo];
      item?.querySelector('a')?.focus({ preventScroll: true });
      item?.scrollIntoView({ block: 'nearest' });
      setReturnsTo(null);
    });
    return () => cancelAnimationFrame(frame);
  }, [returnsTo]);
  if (items.length === 0) {
    return <EmptyState illustration="folder" title={t('public.empty')} />;
  }
  return (
    <section className={styles.section} aria-label={t('public.files')}>
      <div className={styles.header}>
        {selection.isSelecting || selection.paths.size > 0 ? (
          <>
            <Checkbox
              isSelected={isAll}
              isIndeterminate={!isAll && selection.paths.size > 0}
              onChange={() => selection.selectAll(isAll ? [] : items.map(({ path }) => path))}
            >
              {t('public.selected', {
                count: selection.paths.size,
                number: formatNumber(selection.paths.size),
              })}
            </Checkbox>
            <Button size="small" variant="quiet" onClick={selection.clear}>
              {t('public.clearSelection')}
            </Button>
          </>
        ) : (
          <h2 className={styles.title}>{t('public.files')}</h2>
        )}
        <span className={styles.views}>
          <SegmentedControl<PublicView>
            label={t('public.view')}
            value={view}
            onChange={setView}
            options={[
              { value: 'list', label: t('public.views.list'), icon: <List /> },
              { value: 'grid', label: t('public.views.grid'), icon: <LayoutDashboard /> },
            ]}
          />
        </span>
      </div>
      <div
        ref={list}
        className={styles.items}
        data-view={view}
        data-selecting={selection.isSelecting || selection.paths.size > 0 || undefined}
      >
        {groupsOf(isWaiting ? [] : shown, view).map((group, index, { length }) => (
          <ul
            key={group[0]?.isFolder ? 'folders' : 'files'}
            data-folders={group.at(-1)?.isFolder || undefined}
          >
            {group.map((item) => (
              <Item
                key={item.path}
                item={item}
                entry={entry}
                view={view}
                selection={selection}
                knownRatio={ratios.get(item.path)}
              />
            ))}
            {remaining > 0 && index === length - 1 && (
              <li className={styles.more}>
                <button type="button" className={styles.moreButton} onClick={() => setLimit(limit + step)}>
                  <span className={styles.moreNumber}>
                    {t('public.left', { number: formatNumber(remaining) })}
                  </span>{' '}
                  <span>{t('public.showMore')}</span>
                </button>
              </li>
            )}
          </ul>
        ))}
      </div>
    </section>
  );
}

/** Returns the lists of items: one, or in the mosaic folders above files, whose rows are higher. */
function groupsOf(items: readonly PublicItem[], view: PublicView): (readonly PublicItem[])[] {
  if (view === 'list') return [items];
  const groups = [items.filter(({ isFolder }) => isFolder), items.filter(({ isFolder }) => !isFolder)];
  return groups.filter(({ length }) => length > 0);
}

/** Width divided by height of a file in the mosaic if that of its picture is unknown. */
const assumedRatio = 1.5;
/** Narrower and wider pictures get a frame of these proportions, in which they are shown whole. */
const minRatio = 0.4;
const maxRatio = 4;

interface ItemProps {
  item: PublicItem;
  entry: PublicEntry;
  view: PublicView;
  selection: PublicSelection;
  /** Width divided by height of its picture; null if the server does not know it, undefined without a response. */
  knownRatio: number | null | undefined;
}

function Item({ item, entry, view, selection, knownRatio }: ItemProps) {
  const { t } = useTranslation('shares');
  const nameId = useId();
  const { name, path, isFolder, size, modifiedMs, type } = item;
  const [loadedRatio, setLoadedRatio] = useState(assumedRatio);
  // A picture whose size is known to be unknown keeps its frame, so that the others stay where they are.
  const pictureRatio = knownRatio === undefined ? loadedRatio : (knownRatio ?? assumedRatio);
  const ratio = Math.min(Math.max(pictureRatio, minRatio), maxRatio);
  const isSelected = selection.paths.has(path);
  const isGrid = view === 'grid';
  const isBroken = type === 'invalid_link';
  const toggle = () => selection.toggle(path);
  const visibleName = displayName(name);
  const title = <LongName name={visibleName} />;
  return (
    <li
      className={styles.item}
      data-item=""
      data-selected={isSelected || undefined}
      data-whole={ratio !== pictureRatio || knownRatio === null || undefined}
      style={{ '--ratio': ratio } as CSSProperties}
    >
      <span className={styles.picture}>
        <PublicThumbnail
          // Its ratio is that of a picture in this size.
          key={view}
          item={item}
          hash={entry.hash}
          token={entry.token}
          iconSize={isGrid && !isFolder ? 48 : 24}
          size={isGrid ? 'medium' : 'thumb'}
          onRatio={isGrid ? setLoadedRatio : undefined}
        />
      </span>
      <span className={styles.name} id={nameId} title={visibleName}>
        {isBroken && title}
        {!isBroken && selection.isSelecting && (
          <button type="button" className={styles.open} aria-pressed={isSelected} onClick={toggle}>
            {title}
          </button>
        )}
        {!isBroken && !selection.isSelecting && (
          <Link
            className={styles.open}
            to={publicAddress({ hash: entry.hash, path }, isFolder)}
            state={isFolder ? undefined : previewOver('folder')}
            onClick={(event) => {
              // The second click of a double click would open it a second time, so that closing once would not be
              // enough.
              if (event.detail > 1) event.preventDefault();
            }}
          >
            {title}
          </Link>
        )}
      </span>
      <span className={styles.size}>{isFolder ? '' : formatSize(size)}</span>
      <time
        className={styles.modified}
        dateTime={new Date(modifiedMs).toISOString()}
        title={formatDateExact(modifiedMs)}
      >
        {formatRelative(modifiedMs)}
      </time>
      {!isBroken && (
        <Checkbox
          className={styles.check}
          isSelected={isSelected}
          aria-label={t('public.select', { name: visibleName })}
          onChange={toggle}
        />
      )}
    </li>
  );
}
