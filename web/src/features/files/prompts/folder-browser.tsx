import {
  childOf,
  isAtOrBelow,
  parentOf,
  relativeTo,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { isAbort } from '../../../api/call.ts';
import { useLocale } from '../../../i18n/use-locale.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { ChevronRight, CornerUpLeft, Search } from '../../../ui/icons.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { useKeyWithin } from '../../../ui/hooks/use-key-within.ts';
import { transferFailureReason } from '../feedback/failure.ts';
import { listFolders } from '../folder/list-folders.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { folderName } from '../feedback/toasts.ts';
import { Crumbs } from './crumbs.tsx';
import styles from './destination-dialog.module.css';

/** Maximum number of rendered rows; more folders have to be filtered. */
const maxRows = 200;
/** The number of folders from which a filter is offered. */
const filterFromRows = 20;

interface FolderBrowserProps {
  shown: VirtualPath;
  picked: VirtualPath | null;
  onShow: (path: VirtualPath) => void;
  onPick: (path: VirtualPath | null) => void;
  /** Confirms the given folder, else the picked or shown one. */
  onConfirm: (path?: VirtualPath) => void;
  /** Whether a folder can be neither chosen nor entered. */
  isClosed: (path: VirtualPath) => boolean;
  /** Content beside the path. */
  end: ReactNode;
  /** Content above the rows. */
  children: ReactNode;
}

type Loaded = { path: VirtualPath; names: string[] } | { path: VirtualPath; failure: string };

/** Browses folders, one level at a time: a click picks one, a double click or the arrow opens it. */
export function FolderBrowser(props: FolderBrowserProps) {
  const { shown, onShow, end, children } = props;
  const { t } = useTranslation('files');
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  /** The filter text; it applies only to the folder for which it was typed. */
  const [typed, setTyped] = useState({ path: shown, text: '' });
  const filter = typed.path === shown ? typed.text : '';
  useEffect(() => {
    const controller = new AbortController();
    listFolders(shown, controller.signal).then(
      (names) => setLoaded({ path: shown, names }),
      (error: unknown) => {
        if (!isAbort(error) && !controller.signal.aborted)
          setLoaded({ path: shown, failure: transferFailureReason(error) });
      },
    );
    return () => controller.abort();
  }, [shown]);
  const current = loaded?.path === shown ? loaded : null;
  const names = current && 'names' in current ? current.names : [];
  return (
    <div className={styles.browser}>
      <div className={styles.bar}>
        <Crumbs path={shown} onShow={onShow} />
        {end}
      </div>
      {children}
      {names.length > filterFromRows && (
        <div className={styles.filter}>
          <TextField
            label={t('transfer.filter')}
            isLabelHidden
            placeholder={t('transfer.filter')}
            icon={<Search />}
            type="search"
            value={filter}
            onChange={(text) => setTyped({ path: shown, text })}
          />
        </div>
      )}
      {current && 'failure' in current ? (
        <p className={styles.note} role="alert">
          {current.failure}
        </p>
      ) : (
        <Rows {...props} names={names} filter={filter} isLoading={current === null} />
      )}
    </div>
  );
}

interface RowsProps extends FolderBrowserProps {
  names: readonly string[];
  filter: string;
  isLoading: boolean;
}

function Rows({ shown, picked, onShow, onPick, onConfirm, isClosed, names, filter, isLoading }: RowsProps) {
  const { t } = useTranslation('files');
  const { direction } = useLocale();
  const list = useRef<HTMLUListElement>(null);
  const isSlow = useDelayedFlag(isLoading);
  const lowerFilter = filter.trim().toLocaleLowerCase();
  const matching =
    lowerFilter === '' ? names : names.filter((name) => name.toLocaleLowerCase().includes(lowerFilter));
  useRowFocus(list, shown, isLoading);
  useKeyWithin(list, true, (event) => {
    const target = event.target as HTMLElement;
    if (target.dataset['enter'] !== undefined) return;
    const row = target.dataset['path'];
    const isParent = row === undefined && target.dataset['row'] !== undefined;
    const inward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const outward = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = moveFocus(list.current, event.key)?.dataset['path'];
      onPick(next === undefined ? null : (next as VirtualPath));
    } else if (event.key === inward && row !== undefined) onShow(row as VirtualPath);
    else if (event.key === outward || event.key === 'Backspace') onShow(parentOf(shown));
    else if (event.key === 'Enter' && !isParent) onConfirm(row as VirtualPath | undefined);
    else return;
    event.preventDefault();
  });
  return (
    <ul
      ref={list}
      className={styles.rows}
      tabIndex={-1}
      aria-label={t('transfer.folders', { folder: folderName(shown) })}
      aria-busy={isLoading}
    >
      {shown !== '/' && (
        <li>
          <button type="button" className={styles.row} data-row="" onClick={() => onShow(parentOf(shown))}>
            <CornerUpLeft />
            <span aria-hidden="true">..</span>
            <span className="visually-hidden">
              {t('transfer.parent', { folder: folderName(parentOf(shown)) })}
            </span>
          </button>
        </li>
      )}
      {isSlow && isLoading && <PlaceholderRows />}
      {matching.slice(0, maxRows).map((name) => {
        const path = childOf(shown, name);
        const isDisabled = isClosed(path);
        return (
          <li key={name} data-picked={path === picked || undefined}>
            <button
              type="button"
              className={styles.row}
              data-row=""
              data-path={path}
              aria-pressed={path === picked}
              disabled={isDisabled}
              onClick={() => onPick(path === picked ? null : path)}
              onDoubleClick={() => onShow(path)}
            >
              <FileIcon kind="folder" />
              <bdi className={styles.name}>{displayName(name)}</bdi>
            </button>
            {!isDisabled && (
              <button
                type="button"
                className={styles.enter}
                data-enter=""
                aria-label={t('transfer.openFolder', { folder: folderName(path) })}
                onClick={() => onShow(path)}
              >
                <ChevronRight />
              </button>
            )}
          </li>
        );
      })}
      {!isLoading && matching.length === 0 && (
        <li className={styles.note}>
          {lowerFilter === '' ? t('transfer.noFolders') : t('transfer.noMatch', { text: filter.trim() })}
        </li>
      )}
      {matching.length > maxRows && (
        <li className={styles.note}>{t('transfer.tooMany', pluralValues(matching.length - maxRows))}</li>
      )}
    </ul>
  );
}

function PlaceholderRows() {
  const { t } = useTranslation('files');
  return (
    <li className={styles.placeholders}>
      <span className="visually-hidden">{t('transfer.loading')}</span>
      <Skeleton width="40%" />
      <Skeleton width="56%" />
      <Skeleton width="32%" />
    </li>
  );
}

/**
 * Focuses a row of each newly shown folder, since the pressed row is removed with its folder. After moving up it is
 * the folder that the user left, else the first one.
 */
function useRowFocus(list: RefObject<HTMLElement | null>, shown: VirtualPath, isLoading: boolean): void {
  const focusedFor = useRef<VirtualPath | null>(null);
  useEffect(() => {
    const rows = list.current;
    if (rows === null || focusedFor.current === shown) return;
    if (isLoading) {
      rows.focus({ preventScroll: true });
      return;
    }
    const from = focusedFor.current;
    focusedFor.current = shown;
    // The user has moved the focus in the meantime.
    if (document.activeElement !== rows) return;
    const previousChild = from === null ? null : childOnPathTo(shown, from);
    const row =
      rows.querySelector<HTMLElement>(`[data-path="${CSS.escape(previousChild ?? '')}"]`) ??
      rows.querySelector<HTMLElement>('[data-path]:not(:disabled)') ??
      rows.querySelector<HTMLElement>('[data-row]');
    row?.focus();
  }, [list, shown, isLoading]);
}

/** Returns the folder in `shown` that contains `from`, after the user has moved up; null otherwise. */
function childOnPathTo(shown: VirtualPath, from: VirtualPath): VirtualPath | null {
  if (shown === from || !isAtOrBelow(from, shown)) return null;
  const [name] = segmentsOf(relativeTo(from, shown));
  return name === undefined ? null : childOf(shown, name);
}

/** Moves the focus to the previous or next row and returns it. */
function moveFocus(list: HTMLUListElement | null, key: 'ArrowDown' | 'ArrowUp'): HTMLElement | null {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]:not(:disabled)') ?? [])];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = rows[key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)];
  next?.focus();
  return next ?? rows[at] ?? null;
}
