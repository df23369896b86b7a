import type { VirtualPath } from '@filestead/contract/virtual-path';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { rawUrl } from '../../api/urls.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { EventBarrier } from '../../ui/event-barrier.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import {
  ChevronLeft,
  ChevronRight,
  Download,
  Info,
  Maximize,
  PencilLine,
  Trash2,
  X,
} from '../../ui/icons.ts';
import { neighboursOf, previewKindOf, type Neighbours, type PreviewEntry } from './preview-entry.ts';
import { PreviewStage } from './preview-stage.tsx';
import styles from './previewer.module.css';
import { useContainedFocus } from './use-contained-focus.ts';
import { useIdle } from './use-idle.ts';
import { usePreviewKeys } from './use-preview-keys.ts';
import { fittedView, naturalZoom, zoomBy, zoomTo, type ImageView, type Stage } from './zoom.ts';

export interface PreviewerProps {
  entry: PreviewEntry;
  /** The entries of the folder in the order in which it is listed. */
  siblings: readonly PreviewEntry[];
  /** Subtitle files of a video, as the resource names them. */
  subtitles?: readonly VirtualPath[] | undefined;
  /** Permission `download`: without it the server hands out no bytes. */
  canDownload: boolean;
  onNavigate: (entry: PreviewEntry) => void;
  onClose: () => void;
  onDownload: (entry: PreviewEntry) => void;
  onInfo: (entry: PreviewEntry) => void;
  /** Absent without the permission. `successor` is what to show once the entry is gone; null: close. */
  onDelete?: ((entry: PreviewEntry, successor: PreviewEntry | null) => void) | undefined;
  /** Absent without the permission. */
  onRename?: ((entry: PreviewEntry) => void) | undefined;
}

/** Neighbouring images up to this size are fetched ahead. */
const largestPrefetchBytes = 32 * 1024 * 1024;

/** One file over the whole window, with the way to its neighbours. */
export function Previewer(props: PreviewerProps) {
  const { entry, siblings, canDownload, onNavigate, onClose, onDelete, onRename } = props;
  const { t } = useTranslation('previews');
  const { direction } = useLocale();
  const root = useRef<HTMLDivElement>(null);
  const { isIdle, wake } = useIdle();
  const neighbours = useMemo(() => neighboursOf(siblings, entry.path), [siblings, entry.path]);
  const [zoom, setZoom] = useState<{ path: VirtualPath; view: ImageView }>({
    path: entry.path,
    view: fittedView,
  });
  const [stage, setStage] = useState<Stage | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  // Each image starts fitted.
  const view = zoom.path === entry.path ? zoom.view : fittedView;
  const setView = (next: ImageView) => setZoom({ path: entry.path, view: next });
  const isZoomable = previewKindOf(entry) === 'image' && canDownload && stage !== null;

  const goTo = (target: PreviewEntry | null) => {
    if (!target) return;
    // What belongs to the image before must not steer the next one.
    setStage(null);
    onNavigate(target);
  };
  const turn = (towards: 'left' | 'right') => {
    const isForward = (towards === 'right') === (direction === 'ltr');
    wake();
    goTo(isForward ? neighbours.next : neighbours.previous);
  };
  const middle = { x: 0, y: 0 };
  useContainedFocus(root);
  usePreviewKeys(root, {
    close: onClose,
    turn,
    zoomIn: () => isZoomable && setView(zoomBy(view, 1, middle, stage)),
    zoomOut: () => isZoomable && setView(zoomBy(view, -1, middle, stage)),
    fit: () => setView(fittedView),
    remove: () => onDelete?.(entry, neighbours.next ?? neighbours.previous),
    rename: () => onRename?.(entry),
  });
  usePrefetch(canDownload ? neighbours : null);

  const isActualSize = isZoomable && view.scale !== 1 && Math.abs(view.scale - naturalZoom(stage)) < 0.001;
  const toggleActualSize = () => {
    if (isZoomable) setView(isActualSize ? fittedView : zoomTo(view, naturalZoom(stage), middle, stage));
  };
  return createPortal(
    <EventBarrier>
      <div
        ref={root}
        className={styles.previewer}
        role="dialog"
        aria-modal="true"
        aria-label={entry.name}
        tabIndex={-1}
        data-idle={isIdle || undefined}
      >
        <div className={styles.bar}>
          <IconButton label={t('close')} shortcut="Escape" icon={<X />} onClick={onClose} />
          <h1 className={styles.name} title={entry.name}>
            <bdi>{entry.name}</bdi>
          </h1>
          {neighbours.position !== null && neighbours.count > 1 && (
            <span className={styles.position} role="status">
              {t('position', {
                position: formatNumber(neighbours.position),
                total: formatNumber(neighbours.count),
              })}
            </span>
          )}
          <PreviewActions
            {...props}
            neighbours={neighbours}
            isActualSize={isActualSize}
            onActualSize={isZoomable && naturalZoom(stage) > 1 ? toggleActualSize : undefined}
          />
        </div>
        <div className={styles.main}>
          <PreviewStage
            key={entry.path}
            {...props}
            view={view}
            onView={setView}
            onMeasure={setStage}
            onSwipe={turn}
            isPlaying={isPlaying}
            onPlay={setIsPlaying}
          />
          {neighbours.previous && (
            <IconButton
              className={styles.previous}
              size="large"
              label={t('previous')}
              icon={<ChevronLeft />}
              onClick={() => goTo(neighbours.previous)}
            />
          )}
          {neighbours.next && (
            <IconButton
              className={styles.next}
              size="large"
              label={t('next')}
              icon={<ChevronRight />}
              onClick={() => goTo(neighbours.next)}
            />
          )}
        </div>
      </div>
    </EventBarrier>,
    document.body,
  );
}

interface PreviewActionsProps extends PreviewerProps {
  neighbours: Neighbours;
  isActualSize: boolean;
  onActualSize: (() => void) | undefined;
}

/** What can be done with the file. Actions that do not apply are absent. */
function PreviewActions(props: PreviewActionsProps) {
  const { entry, neighbours, canDownload, isActualSize, onActualSize, onRename, onDelete } = props;
  const { t } = useTranslation('previews');
  return (
    <div className={styles.actions} role="group" aria-label={t('actions')}>
      {onActualSize && (
        <IconButton
          label={t('actualSize')}
          icon={<Maximize />}
          isPressed={isActualSize}
          onClick={onActualSize}
        />
      )}
      {onRename && (
        <IconButton label={t('rename')} shortcut="F2" icon={<PencilLine />} onClick={() => onRename(entry)} />
      )}
      {onDelete && (
        <IconButton
          label={t('delete')}
          shortcut="Delete"
          icon={<Trash2 />}
          onClick={() => onDelete(entry, neighbours.next ?? neighbours.previous)}
        />
      )}
      {canDownload && (
        <IconButton label={t('download')} icon={<Download />} onClick={() => props.onDownload(entry)} />
      )}
      <IconButton label={t('info')} icon={<Info />} onClick={() => props.onInfo(entry)} />
    </div>
  );
}

/** Fetches the images beside this one, so that turning to them shows them at once. */
function usePrefetch(neighbours: Neighbours | null): void {
  useEffect(() => {
    if (!neighbours) return;
    for (const neighbour of [neighbours.next, neighbours.previous]) {
      if (!neighbour || previewKindOf(neighbour) !== 'image') continue;
      if (neighbour.size > largestPrefetchBytes) continue;
      new Image().src = rawUrl(neighbour.path, { inline: true, key: neighbour.modifiedMs });
    }
  }, [neighbours]);
}
