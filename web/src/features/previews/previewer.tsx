import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../i18n/format.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { displayName } from '../../i18n/display-name.ts';
import { EventBarrier } from '../../ui/overlays/event-barrier.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ChevronLeft, ChevronRight, X } from '../../ui/icons.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Filmstrip } from './filmstrip.tsx';
import type { ScreenBox } from './images/grow-from.ts';
import { hasSmallerPicture } from './images/picture-source.ts';
import { PreviewActions } from './preview-actions.tsx';
import { isPreviewable, neighboursOf, previewKindOf, type PreviewEntry } from './preview-entry.ts';
import { PreviewStage } from './preview-stage.tsx';
import { ScrollArea } from './scroll-area.tsx';
import styles from './previewer.module.css';
import type { TextViews } from './text-stage.tsx';
import { useContainedFocus } from './use-contained-focus.ts';
import { useIdle } from './use-idle.ts';
import { usePrefetch } from './loading/use-prefetch.ts';
import { usePreviewKeys } from './use-preview-keys.ts';
import { useSidewaysSwipe } from './images/use-sideways-swipe.ts';
import {
  fittedView,
  isSameStage,
  naturalZoom,
  zoomBy,
  zoomTo,
  type ImageView,
  type Stage,
} from './images/zoom.ts';

export interface PreviewerProps {
  entry: PreviewEntry;
  /** The entries of the folder in the order in which it is listed. */
  siblings: readonly PreviewEntry[];
  /** The subtitle files of a video, as listed in its resource. */
  subtitles?: readonly VirtualPath[] | undefined;
  /** Whether the user has the permission to download; without it the server sends no bytes. */
  canDownload: boolean;
  onNavigate: (entry: PreviewEntry) => void;
  onClose: () => void;
  onDownload: (entry: PreviewEntry) => void;
  /** Shows the file's details elsewhere; not called when `renderDetails` is given. */
  onInfo: (entry: PreviewEntry) => void;
  /** Renders the file's details for the panel beside it. */
  renderDetails?: ((entry: PreviewEntry) => ReactNode) | undefined;
  /** Returns the position of the file's thumbnail on the screen, from which the previewer opens. */
  originOf?: ((entry: PreviewEntry) => ScreenBox | null) | undefined;
  /** Absent without the permission. `successor` is the file to show afterwards, or null to close the previewer. */
  onDelete?: ((entry: PreviewEntry, successor: PreviewEntry | null) => void) | undefined;
  /** Renders text files; absent when they are opened in the editor. */
  texts?: TextViews | undefined;
  /** Absent without the permission. */
  onRename?: ((entry: PreviewEntry) => void) | undefined;
}

const middle = { x: 0, y: 0 };

/** The zoom state of one image. Each image starts fitted. */
interface Look {
  readonly path: VirtualPath;
  readonly view: ImageView;
  readonly wantsWhole: boolean;
  /** Whether to zoom to actual size as soon as the original has loaded. */
  readonly isAwaited: boolean;
}

/** Shows one file over the whole window, with navigation to its neighbours. */
export function Previewer(props: PreviewerProps) {
  const { entry, siblings, canDownload, onNavigate, onClose, onDelete, onRename, renderDetails } = props;
  const { t } = useTranslation('previews');
  const { direction } = useLocale();
  const isPhone = useIsPhone();
  const root = useRef<HTMLDivElement>(null);
  const player = useRef<HTMLMediaElement>(null);
  const { isIdle, wake } = useIdle();
  const neighbours = useMemo(() => neighboursOf(siblings, entry.path), [siblings, entry.path]);
  const [origin] = useState(() => ({ path: entry.path, box: props.originOf?.(entry) ?? null }));
  const [kept, setKept] = useState<Look | null>(null);
  const fresh: Look = { path: entry.path, view: fittedView, wantsWhole: false, isAwaited: false };
  const look = kept?.path === entry.path ? kept : fresh;
  const [stage, setStage] = useState<Stage | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isInfoOpen, setInfoOpen] = useState(false);
  const { view, wantsWhole } = look;
  const kind = previewKindOf(entry);
  const isSmaller = hasSmallerPicture(entry);
  const isZoomable = kind === 'image' && canDownload && stage !== null;

  // Zooming in loads the original with all its pixels.
  const setView = (next: ImageView) =>
    setKept({
      ...look,
      view: next,
      wantsWhole: wantsWhole || (isSmaller && next.scale > 1),
      isAwaited: false,
    });
  const measure = (measured: Stage) => {
    // Reported at every layout change, mostly with equal measurements.
    setStage((known) => (known && isSameStage(known, measured) ? known : measured));
    if (!look.isAwaited || naturalZoom(measured) <= 1) return;
    setKept({ ...look, view: zoomTo(fittedView, naturalZoom(measured), middle, measured), isAwaited: false });
  };
  const goTo = (target: PreviewEntry | null) => {
    if (!target) return;
    // The measurements of the previous image do not apply to the next one.
    setStage(null);
    onNavigate(target);
  };
  const turn = (towards: 'left' | 'right') => {
    const isForward = (towards === 'right') === (direction === 'ltr');
    wake();
    goTo(isForward ? neighbours.next : neighbours.previous);
  };
  // A swipe to the left moves to the file on the right.
  const swipe = (towards: 'left' | 'right') => turn(towards === 'left' ? 'right' : 'left');
  const swiping = useSidewaysSwipe(swipe);
  const isAtNatural = isZoomable && Math.abs(view.scale - naturalZoom(stage)) < 0.001;
  const isActualSize = isSmaller
    ? wantsWhole && (look.isAwaited || isAtNatural)
    : isAtNatural && view.scale !== 1;
  const hasActualSize = isZoomable && (isSmaller || naturalZoom(stage) > 1);
  const toggleActualSize = () => {
    if (!hasActualSize) return;
    if (isActualSize) setKept(fresh);
    else if (isSmaller && !wantsWhole) setKept({ ...look, wantsWhole: true, isAwaited: true });
    else setView(zoomTo(view, naturalZoom(stage), middle, stage));
  };
  const toggleInfo = () => {
    if (renderDetails && !isPhone) setInfoOpen(!isInfoOpen);
    else props.onInfo(entry);
  };
  const remove = onDelete && (() => onDelete(entry, neighbours.next ?? neighbours.previous));
  useContainedFocus(root);
  usePreviewKeys(root, player, {
    close: onClose,
    turn,
    step: (towards) => goTo(neighbours[towards]),
    zoomIn: () => isZoomable && setView(zoomBy(view, 1, middle, stage)),
    zoomOut: () => isZoomable && setView(zoomBy(view, -1, middle, stage)),
    fit: () => setView(fittedView),
    actualSize: toggleActualSize,
    info: toggleInfo,
    remove: () => remove?.(),
    rename: () => onRename?.(entry),
  });
  usePrefetch(canDownload ? neighbours : null);
  const isDocument = kind !== 'image' && kind !== 'video' && kind !== 'audio' && kind !== 'none';
  // Documents have toolbars of their own, above which a bar that comes and goes would disturb.
  const hidesBar = isIdle && !isInfoOpen && (kind === 'image' || kind === 'video');
  return createPortal(
    <EventBarrier>
      <div
        ref={root}
        className={styles.previewer}
        role="dialog"
        aria-modal="true"
        aria-label={displayName(entry.name)}
        tabIndex={-1}
        data-cover=""
        data-idle={isIdle || undefined}
        data-bare={hidesBar || undefined}
        onKeyDownCapture={wake}
      >
        <div className={styles.bar}>
          <IconButton label={t('close')} shortcut="Escape" icon={<X />} onClick={onClose} />
          <h1 className={styles.name}>
            <LongName name={displayName(entry.name)} />
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
            isActualSize={isActualSize}
            onActualSize={hasActualSize ? toggleActualSize : undefined}
            isInfoOpen={renderDetails && !isPhone ? isInfoOpen : undefined}
            onInfo={toggleInfo}
            onDelete={remove}
            onRename={onRename}
          />
        </div>
        <div className={styles.body}>
          <div
            className={styles.main}
            data-document={isDocument || undefined}
            data-controls={isDocument || kind === 'video' || kind === 'audio' || undefined}
            {...swiping}
          >
            <PreviewStage
              key={entry.path}
              {...props}
              view={view}
              onView={setView}
              onMeasure={measure}
              wantsWhole={wantsWhole}
              origin={origin.path === entry.path ? origin.box : null}
              onSwipe={swipe}
              playerRef={player}
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
          {isInfoOpen && renderDetails && !isPhone && (
            <ScrollArea className={styles.details} label={t('info')}>
              <h2 className={styles.detailsTitle}>{t('info')}</h2>
              {renderDetails(entry)}
            </ScrollArea>
          )}
        </div>
        {!isPhone && canDownload && isPreviewable(entry) && (
          <Filmstrip entry={entry} siblings={siblings} onChoose={goTo} />
        )}
      </div>
    </EventBarrier>,
    document.body,
  );
}
