import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../../i18n/use-translation.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EventBarrier } from '../../ui/overlays/event-barrier.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ChevronLeft, ChevronRight } from '../../ui/icons.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { type BackgroundPlayer, pointOf } from './background-player.ts';
import { Filmstrip } from './filmstrip.tsx';
import type { ScreenBox } from './images/grow-from.ts';
import type { PreviewActionsProps } from './preview-actions.tsx';
import { PreviewBar } from './preview-bar.tsx';
import {
  isLargeText,
  isPreviewable,
  previewKindOf,
  type Neighbors,
  type PreviewEntry,
} from './preview-entry.ts';
import { PreviewStage } from './preview-stage.tsx';
import { ScrollArea } from './scroll-area.tsx';
import styles from './previewer.module.css';
import type { TextViews } from './text-stage.tsx';
import { useContainedFocus } from './use-contained-focus.ts';
import { useIdle } from './use-idle.ts';
import { useNeighbors } from './use-neighbors.ts';
import { usePrefetch } from './loading/use-prefetch.ts';
import { usePreviewKeys } from './use-preview-keys.ts';
import { useBackground } from './images/use-background.ts';
import { useImageZoom } from './images/use-image-zoom.ts';
import { type SwipeDirection, useSwipe } from './images/use-swipe.ts';
import { fittedView } from './images/zoom.ts';
import { useSlideshow } from './slideshow/use-slideshow.ts';

export interface PreviewerProps extends Pick<PreviewActionsProps, 'onShare' | 'onRotate' | 'favorite'> {
  entry: PreviewEntry;
  /** The entries of the folder in the order in which it is listed. */
  siblings: readonly PreviewEntry[];
  /** The subtitle files of a video, as listed in its resource. */
  subtitles?: readonly VirtualPath[] | undefined;
  /** Whether the user has the permission to download; without it the server sends no bytes. */
  canDownload: boolean;
  /** Whether the first recording plays at once. The next ones play if the previous one was not paused. */
  isAutoplaying?: boolean;
  /** Plays on when the previewer is closed. Absent where nothing is played outside the previewer. */
  backgroundPlayer?: BackgroundPlayer | undefined;
  onNavigate: (entry: PreviewEntry) => void;
  onClose: () => void;
  onDownload: (entry: PreviewEntry) => void;
  /** Called when a slideshow starts and when it pauses. */
  onSlideshow?: ((isRunning: boolean) => void) | undefined;
  /** Shows the file's details elsewhere; not called when `renderDetails` is given. */
  onInfo?: (entry: PreviewEntry) => void;
  /** Renders the file's details for the panel beside it. */
  renderDetails?: ((entry: PreviewEntry) => ReactNode) | undefined;
  /** Returns the position of the file's thumbnail on the screen, from which the previewer opens. */
  originOf?: ((entry: PreviewEntry) => ScreenBox | null) | undefined;
  /** Absent without the permission to delete. `successor` is the file to show afterwards, or null to close the previewer. */
  onDelete?: ((entry: PreviewEntry, successor: PreviewEntry | null) => void) | undefined;
  /** Renders text files; absent when they are opened in the editor. */
  texts?: TextViews | undefined;
  /** Absent without the permission to rename. */
  onRename?: ((entry: PreviewEntry) => void) | undefined;
  /**
   * Renders the items of the menu of further actions; absent without one. `successor` is the file to show when the file leaves
   * its folder, or null to close the previewer.
   */
  renderMenu?: ((successor: PreviewEntry | null) => ReactNode) | undefined;
}

const noSiblings: readonly PreviewEntry[] = [];

/** The buttons at the sides for the previous and the next file. */
function NeighborButtons(props: { neighbors: Neighbors; onChoose: (entry: PreviewEntry) => void }) {
  const { previous, next } = props.neighbors;
  const { t } = useTranslation('previews');
  return (
    <>
      {previous && (
        <IconButton
          className={styles.previous}
          size="large"
          label={t('previous')}
          icon={<ChevronLeft />}
          onClick={() => props.onChoose(previous)}
        />
      )}
      {next && (
        <IconButton
          className={styles.next}
          size="large"
          label={t('next')}
          icon={<ChevronRight />}
          onClick={() => props.onChoose(next)}
        />
      )}
    </>
  );
}

/** Zoom, background, slideshow, neighbors, details and keys of the file that is shown in `root`. */
function usePreviewControls(
  props: PreviewerProps,
  root: RefObject<HTMLDivElement | null>,
  player: RefObject<HTMLMediaElement | null>,
) {
  const { entry, siblings, canDownload, onDelete, onNavigate, onRename, renderDetails } = props;
  const { close, minimize } = useClosing(props, player);
  const { isIdle, showControls } = useIdle();
  const [isInfoOpen, setInfoOpen] = useState(false);
  const imageZoom = useImageZoom(entry, canDownload);
  const backgroundChoice = useBackground(entry.path);
  const { neighbors, goTo, turn, swipe } = useNeighbors(props, showControls);
  const slideshow = useSlideshow({
    entry,
    siblings: canDownload ? siblings : noSiblings,
    isShown: imageZoom.isShown,
    isHeld: imageZoom.view.scale !== 1,
    player,
    onNavigate,
  });
  const { isAvailable, isRunning, start, pause } = slideshow;
  const { onSlideshow } = props;
  useEffect(() => onSlideshow?.(isRunning), [onSlideshow, isRunning]);
  const hasDetailsPanel = renderDetails !== undefined;
  const toggleInfo = () => {
    if (hasDetailsPanel) setInfoOpen(!isInfoOpen);
    else props.onInfo?.(entry);
  };
  const successor = neighbors.next ?? neighbors.previous;
  const remove = onDelete && (() => onDelete(entry, successor));
  useContainedFocus(root);
  usePreviewKeys(root, player, {
    close,
    minimize: () => minimize?.(),
    turn,
    step: (direction) => goTo(neighbors[direction]),
    zoomIn: () => imageZoom.zoom(1),
    zoomOut: () => imageZoom.zoom(-1),
    fitToWindow: () => imageZoom.setView(fittedView),
    actualSize: imageZoom.toggleActualSize,
    info: toggleInfo,
    rotate: (degrees) => props.onRotate?.(degrees),
    remove: () => remove?.(),
    rename: () => onRename?.(entry),
    toggleSlideshow: () => (isRunning ? pause() : isAvailable && start()),
    pauseSlideshow: isRunning ? pause : undefined,
  });
  usePrefetch(canDownload ? neighbors : null);
  return {
    imageZoom,
    backgroundChoice,
    slideshow,
    neighbors,
    goTo,
    swipe,
    isIdle,
    showControls,
    close,
    minimize,
    remove,
    menu: props.renderMenu?.(successor),
    toggleInfo,
    /** Undefined without a panel for details. */
    isInfoOpen: hasDetailsPanel ? isInfoOpen : undefined,
  };
}

/**
 * Returns the functions that close the previewer. Music that is playing continues in the background player; a video does so only with
 * `minimize`, which also continues music that is paused.
 */
function useClosing(
  { entry, siblings, backgroundPlayer, onClose }: PreviewerProps,
  player: RefObject<HTMLMediaElement | null>,
) {
  const closeAndContinue = (media: HTMLMediaElement | null) => {
    if (media && media.error === null) backgroundPlayer?.continueWith(entry, siblings, pointOf(media));
    onClose();
  };
  return {
    close: () => {
      const media = player.current;
      closeAndContinue(entry.type === 'audio' && media && pointOf(media).isPlaying ? media : null);
    },
    minimize: backgroundPlayer && (() => player.current && closeAndContinue(player.current)),
  };
}

/** Shows one file over the whole window, with navigation to its neighbors. */
export function Previewer(props: PreviewerProps) {
  const { entry, siblings, canDownload, renderDetails } = props;
  const { t } = useTranslation('previews');
  const isPhone = useIsPhone();
  const root = useRef<HTMLDivElement>(null);
  const player = useRef<HTMLMediaElement>(null);
  const [origin] = useState(() => ({ path: entry.path, box: props.originOf?.(entry) ?? null }));
  const [isPlaying, setIsPlaying] = useState(props.isAutoplaying === true);
  const controls = usePreviewControls(props, root, player);
  const { imageZoom, backgroundChoice, slideshow, neighbors, goTo, swipe, isIdle, isInfoOpen } = controls;
  const onSwipe = (direction: SwipeDirection) => (direction === 'down' ? controls.close() : swipe(direction));
  const swiping = useSwipe(onSwipe);
  const layout = layoutOf(entry);
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
        data-bare={(isIdle && slideshow.isRunning) || undefined}
        data-slideshow={slideshow.isRunning || undefined}
        data-background={backgroundChoice.background ?? undefined}
        onKeyDownCapture={controls.showControls}
      >
        <PreviewBar
          {...props}
          neighbors={neighbors}
          backgroundChoice={backgroundChoice}
          imageZoom={imageZoom}
          slideshow={slideshow}
          isActualSize={imageZoom.isActualSize}
          onActualSize={imageZoom.hasActualSize ? imageZoom.toggleActualSize : undefined}
          isInfoOpen={isInfoOpen}
          onClose={controls.close}
          onInfo={controls.toggleInfo}
          onDelete={controls.remove}
          onRename={props.onRename}
          menu={controls.menu}
        />
        <div className={styles.body}>
          <div
            className={styles.main}
            data-document={layout.isDocument || undefined}
            data-controls={layout.hasControls || undefined}
            {...swiping}
          >
            <PreviewStage
              key={entry.path}
              {...props}
              view={imageZoom.view}
              onView={imageZoom.setView}
              onMeasure={imageZoom.measure}
              wantsFullSize={imageZoom.wantsFullSize}
              background={backgroundChoice.background}
              onTransparent={backgroundChoice.noteTransparency}
              origin={origin.path === entry.path ? origin.box : null}
              onSwipe={onSwipe}
              playerRef={player}
              isPlaying={isPlaying}
              onPlay={setIsPlaying}
              onMinimize={controls.minimize}
            />
            <NeighborButtons neighbors={neighbors} onChoose={goTo} />
          </div>
          {isInfoOpen && !isPhone && !slideshow.isRunning && renderDetails && (
            <ScrollArea className={styles.details} label={t('info')}>
              <h2 className={styles.detailsTitle}>{t('info')}</h2>
              {renderDetails(entry)}
            </ScrollArea>
          )}
        </div>
        {isPhone && renderDetails && (
          <Dialog title={displayName(entry.name)} isOpen={isInfoOpen === true} onClose={controls.toggleInfo}>
            {renderDetails(entry)}
          </Dialog>
        )}
        {!isPhone && canDownload && isPreviewable(entry) && !slideshow.isRunning && (
          <Filmstrip entry={entry} siblings={siblings} onChoose={goTo} />
        )}
      </div>
    </EventBarrier>,
    document.body,
  );
}

/** The layout of a file: how much of the window it takes and what may cover it. */
function layoutOf(entry: PreviewEntry) {
  const kind = previewKindOf(entry);
  const isDocument =
    kind === 'none' ? isLargeText(entry) : kind !== 'image' && kind !== 'video' && kind !== 'audio';
  return {
    isDocument,
    hasControls: isDocument || kind === 'video' || kind === 'audio',
  };
}
