import type { TrashItem } from '@filestead/contract/endpoints/trash';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type ReactNode,
  type Ref,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ArrowDown } from '../../../ui/icons.ts';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import parts from '../../../ui/selection/row-parts.module.css';
import type { TrashHost } from '../trash-host.ts';
import type { TrashModel } from '../trash-model.ts';
import type { MenuRequest } from './menu-request.ts';
import { TrashGeometry, sectionsOf } from './trash-geometry.ts';
import styles from './trash-list.module.css';
import { TrashRow } from './trash-row.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useListPointer } from './use-list-pointer.ts';

/** The heights of rows, headings and column names on desktops and phones, in px (`trash-list.module.css`). */
const desktopHeights = { rowPx: 40, headingPx: 36, headPx: 36 };
const phoneHeights = { rowPx: 64, headingPx: 36, headPx: 0 };
/** The number of rows that are rendered beyond the visible ones. */
const overscanRows = 6;
/** The interval in which the remaining time is updated, in ms. */
const clockIntervalMs = 60_000;
/** The delay of announcements, in ms, so that only the last of several selections is announced. */
const announceDelayMs = 300;

const columns = ['name', 'location', 'deletedBy', 'deleted', 'size', 'timeLeft'] as const;

/** The imperative interface of the list. */
export interface TrashListHandle {
  /** Focuses the item that had the focus last, or the first one; without items the empty state. */
  focus: () => void;
  /** Opens the menu of the focused item, or else of the list. */
  openMenu: () => void;
}

interface TrashListProps {
  model: TrashModel;
  host: TrashHost;
  onMenu: (request: MenuRequest) => void;
  emptyState: ReactNode;
  handleRef: Ref<TrashListHandle>;
}

/** Shows any number of deleted items, the latest deletion first. */
export function TrashList({ model, host, onMenu, emptyState, handleRef }: TrashListProps) {
  const { t } = useTranslation('trash');
  const { languageTag } = useLocale();
  useSyncExternalStore(model.subscribe, model.getSnapshot);
  const { items, count, phase } = model;
  const nowMs = useNow();
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const empty = useRef<HTMLDivElement>(null);
  const view = useScrollView(scroller, model);
  const heights = host.isPhone ? phoneHeights : desktopHeights;
  const { rowPx, headingPx } = heights;
  const geometry = useMemo(
    () => new TrashGeometry(sectionsOf(items, count, nowMs), { count, rowPx, headingPx }),
    [items, count, nowMs, rowPx, headingPx],
  );
  const focusItem = useCallback(
    (id: string) => {
      const position = model.position(id);
      if (position === null) return;
      // The row of the cursor is always rendered, so that it can be focused.
      flushSync(() => model.moveCursor(id));
      revealRow(scroller.current, geometry, position, { rowPx, outsidePx: heights.headPx });
      rowOf(scroller.current, id)?.focus({ preventScroll: true });
    },
    [model, geometry, rowPx, heights],
  );
  const openMenu = () => openMenuByKey(model, root.current, onMenu);
  useImperativeHandle(handleRef, () => ({
    focus: () => {
      const id = model.cursor ?? model.items[0]?.id;
      if (id === undefined) empty.current?.focus();
      else focusItem(id);
    },
    openMenu,
  }));
  useListKeys(root, {
    model,
    host,
    geometry,
    focusItem,
    pageRows: Math.max(1, Math.floor(view.heightPx / rowPx) - 2),
  });
  useListPointer(root, { model, host, focusItem, onMenu });
  useKeptFocus(root, model);
  const isWaiting = useDelayedFlag(phase === 'loading');
  const isEmpty = count === 0;
  const { first, last } = geometry.windowOf(view.topPx, view.heightPx, overscanRows);
  return (
    <div
      ref={root}
      className={styles.root}
      data-selecting={model.isSelecting || (!host.isPhone && model.selectedCount > 0) || undefined}
      aria-busy={phase === 'loading'}
    >
      <div ref={scroller} className={styles.scroller}>
        {isWaiting && isEmpty && <LoadingRows count={8} />}
        {phase !== 'loading' && !isWaiting && isEmpty && (
          <div ref={empty} tabIndex={-1} className={styles.empty}>
            {emptyState}
          </div>
        )}
        {!isEmpty && (
          <div
            className={styles.content}
            role="grid"
            aria-label={t('label')}
            aria-multiselectable="true"
            aria-rowcount={count + 1}
            aria-colcount={columns.length}
          >
            <ColumnHead model={model} />
            <div role="presentation" className={styles.rows} style={{ blockSize: `${geometry.heightPx}px` }}>
              <Rows
                model={model}
                host={host}
                geometry={geometry}
                first={first}
                last={last}
                nowMs={nowMs}
                languageTag={languageTag}
              />
            </div>
          </div>
        )}
      </div>
      <Announcements model={model} />
    </div>
  );
}

/** The names of the columns and the checkbox that selects all items, which stay at the top while the rows scroll. */
function ColumnHead({ model }: { model: TrashModel }) {
  const { t } = useTranslation('trash');
  const { selectedCount } = model;
  const state = selectedCount === 0 ? 'false' : selectedCount === model.items.length ? 'true' : 'mixed';
  return (
    <div role="row" aria-rowindex={1} className={styles.header}>
      {columns.map((column) => (
        <span
          key={column}
          role="columnheader"
          data-column={column}
          aria-sort={column === 'deleted' ? 'descending' : undefined}
        >
          {column === 'name' && (
            <button
              type="button"
              role="checkbox"
              aria-checked={state}
              aria-label={t('actions.selectAll')}
              className={`${parts.checkbox} ${styles.selectAll}`}
              onClick={() => (state === 'true' ? model.clearSelection() : model.selectAll())}
            />
          )}
          {t(`columns.${column}`)}
          {column === 'deleted' && <ArrowDown />}
        </span>
      ))}
    </div>
  );
}

interface RowsProps {
  model: TrashModel;
  host: TrashHost;
  geometry: TrashGeometry;
  first: number;
  last: number;
  nowMs: number;
  languageTag: string;
}

/** The rows of the window, and the row with the keyboard focus wherever it is. */
function Rows({ model, host, geometry, first, last, nowMs, languageTag }: RowsProps) {
  const { t } = useTranslation('trash');
  const { items, phase } = model;
  const cursor = model.cursor === null ? null : model.position(model.cursor);
  return geometry.sections.map((section, index) => {
    const end = section.position + section.count;
    const positions: number[] = [];
    if (cursor !== null && cursor >= section.position && cursor < end && (cursor < first || cursor > last))
      positions.push(cursor);
    for (let at = Math.max(first, section.position); at <= last && at < end; at++) positions.push(at);
    // The number of a section that is still arriving is not known.
    const isCounted = phase !== 'first' || index < geometry.sections.length - 1;
    return (
      <div key={section.kind} role="rowgroup" aria-label={t(`sections.${section.kind}`)}>
        <div
          className={styles.heading}
          style={{ transform: `translateY(${geometry.headingTopOf(section)}px)` }}
          aria-hidden="true"
        >
          {t(`sections.${section.kind}`)}
          {isCounted && <span className={styles.count}>{pluralValues(section.count).number}</span>}
        </div>
        {positions
          .toSorted((a, b) => a - b)
          .map((position) => {
            const item: TrashItem | undefined = items[position];
            const topPx = geometry.topOf(position);
            if (item === undefined)
              return (
                <div
                  key={position}
                  className={`${parts.row} ${styles.row}`}
                  style={{ transform: `translateY(${topPx}px)` } satisfies CSSProperties}
                  aria-hidden="true"
                >
                  <Skeleton width="30%" />
                </div>
              );
            return (
              <TrashRow
                key={item.id}
                model={model}
                item={item}
                position={position}
                topPx={topPx}
                user={host.user}
                isPhone={host.isPhone}
                nowMs={nowMs}
                languageTag={languageTag}
              />
            );
          })}
      </div>
    );
  });
}

function LoadingRows({ count }: { count: number }) {
  const { t } = useTranslation('common');
  return (
    <div className={styles.loading}>
      <span className="visually-hidden">{t('loading')}</span>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} width={`${52 - (index % 3) * 12}%`} />
      ))}
    </div>
  );
}

/** Announces the loaded list and the number of selected items to screen readers. */
function Announcements({ model }: { model: TrashModel }) {
  const { t } = useTranslation('trash');
  const [text, setText] = useState('');
  const { selectedCount, phase, count } = model;
  const announced = useRef({ selectedCount: 0, phase: 'loading' });
  useEffect(() => {
    const before = announced.current;
    if (before.selectedCount === selectedCount && before.phase === phase) return undefined;
    announced.current = { selectedCount, phase };
    const isLoaded = phase === 'ready' && before.phase !== 'ready';
    if (!isLoaded && before.selectedCount === selectedCount) return undefined;
    const next = isLoaded
      ? t('loaded', pluralValues(count))
      : selectedCount === 0
        ? t('noneSelected')
        : t('selected', pluralValues(selectedCount));
    const timer = setTimeout(() => setText(next), announceDelayMs);
    return () => clearTimeout(timer);
  }, [selectedCount, phase, count, t]);
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}

/** Returns the current time, updated every minute. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), clockIntervalMs);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/** Returns how far `scroller` is scrolled and its height, in px. */
function useScrollView(
  scroller: React.RefObject<HTMLDivElement | null>,
  model: TrashModel,
): {
  topPx: number;
  heightPx: number;
} {
  const [view, setView] = useState({ topPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    element.scrollTo({ top: model.scrollTopPx });
    const measure = () => setView({ topPx: element.scrollTop, heightPx: element.clientHeight });
    // Rendered before the frame is painted, so that no gap appears.
    const follow = () => {
      model.scrollTopPx = element.scrollTop;
      flushSync(measure);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [scroller, model]);
  return view;
}

const rowOf = (scroller: HTMLElement | null, id: string): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) ?? null;

/**
 * Scrolls just far enough for a row and the heading above it to be visible. `outsidePx` is the height of the column
 * names, which cover rows.
 */
function revealRow(
  scroller: HTMLElement | null,
  geometry: TrashGeometry,
  position: number,
  { rowPx, outsidePx }: { rowPx: number; outsidePx: number },
): void {
  if (!scroller) return;
  const section = geometry.sections.find((candidate) => candidate.position === position);
  const topPx = section ? geometry.headingTopOf(section) : geometry.topOf(position);
  const bottomPx = geometry.topOf(position) + rowPx;
  if (topPx < scroller.scrollTop) scroller.scrollTop = topPx;
  else if (bottomPx > scroller.scrollTop + scroller.clientHeight - outsidePx) {
    scroller.scrollTop = bottomPx - scroller.clientHeight + outsidePx;
  }
}

/** Returns the focus to the cursor when the focused row was removed. */
function useKeptFocus(root: React.RefObject<HTMLElement | null>, model: TrashModel): void {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) {
      hadFocus.current =
        root.current?.contains(activeElement) === true && activeElement.closest('[data-item]') !== null;
      return;
    }
    const { cursor } = model;
    if (hadFocus.current && cursor !== null) rowOf(root.current, cursor)?.focus({ preventScroll: true });
  });
}

/** The distance between the corner of the list and a menu without an item, in px. */
const menuInsetPx = 24;

function openMenuByKey(
  model: TrashModel,
  root: HTMLElement | null,
  onMenu: (request: MenuRequest) => void,
): void {
  if (!root) return;
  const row = model.cursor === null ? null : rowOf(root, model.cursor);
  const isRtl = getComputedStyle(root).direction === 'rtl';
  if (
    model.cursor !== null &&
    row &&
    (row.contains(document.activeElement) || model.isSelected(model.cursor))
  ) {
    if (!model.isSelected(model.cursor)) model.selectOnly(model.cursor);
    const box =
      row.querySelector('[data-part="name"]')?.getBoundingClientRect() ?? row.getBoundingClientRect();
    onMenu({ place: 'itemMenu', at: { x: isRtl ? box.right : box.left, y: box.bottom }, isByKey: true });
    return;
  }
  model.clearSelection();
  const box = root.getBoundingClientRect();
  const x = isRtl ? box.right - menuInsetPx : box.left + menuInsetPx;
  onMenu({ place: 'listMenu', at: { x, y: box.top + menuInsetPx }, isByKey: true });
}
