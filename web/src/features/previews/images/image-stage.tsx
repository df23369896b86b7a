import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefCallback } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import type { SwipeDirection } from './use-swipe.ts';
import type { PreviewEntry } from '../preview-entry.ts';
import { hasTransparency, type Background } from './background.ts';
import { growFrom, type ScreenBox } from './grow-from.ts';
import { PicturePlaceholder } from './picture-placeholder.tsx';
import styles from './image-stage.module.css';
import type { Picture } from './use-picture.ts';
import { useImageGestures } from './use-image-gestures.ts';
import {
  displayedSize,
  fill,
  naturalZoom,
  clampView,
  type ImageView,
  type Size,
  type Stage,
} from './zoom.ts';

/** The margin around a fitted image, in CSS pixels. */
const marginPx = 24;
/**
 * The longer side of the server's large picture. A picture of that size is reduced from a larger original
 * (docs/reference/filebrowser-api.md §1.8).
 */
const largePicturePx = 1080;

export interface ImageStageProps {
  entry: PreviewEntry;
  picture: Picture;
  /** The background of a picture with transparency; null for others. */
  background: Background | null;
  /** Called when the picture has loaded and has transparent pixels. */
  onTransparent: () => void;
  view: ImageView;
  onView: (view: ImageView) => void;
  /** Reports the measured image and window, for the zoom buttons and keys. */
  onMeasure: (stage: Stage) => void;
  onSwipe: (direction: SwipeDirection) => void;
  /** The position of the image's thumbnail before it was opened; the image grows from there. */
  origin?: ScreenBox | null | undefined;
}

const emptySize: Size = { width: 0, height: 0 };

/** Shows an image fitted into its window, with zoom and pan. The browser applies the EXIF orientation. */
export function ImageStage(props: ImageStageProps) {
  const { entry, picture, background, onTransparent, view, onView, onMeasure, onSwipe, origin } = props;
  const { name } = entry;
  const { t } = useTranslation('previews');
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const image = useRef<HTMLImageElement>(null);
  const thumbnail = useRef<HTMLElement>(null);
  const [hasThumbnail, setHasThumbnail] = useState(false);
  const [frame, setFrame] = useState<Size>(emptySize);
  const [loaded, setLoaded] = useState<{ size: Size; isReduced: boolean }>({
    size: emptySize,
    isReduced: false,
  });
  const isLoaded = loaded.size.width > 0;
  const isSlow = useDelayedFlag(!isLoaded && !hasThumbnail);
  // The original's size is not known while a reduced picture is shown: it is shown as large as the window allows.
  const natural = loaded.isReduced ? fill(loaded.size, frame) : loaded.size;
  const stage: Stage = { frame, natural };
  const gestures = useImageGestures(element, { stage, view, onView, onSwipe });

  const measure: RefCallback<HTMLDivElement> = useCallback((box) => {
    setElement(box);
    if (!box) return undefined;
    const observer = new ResizeObserver(([observed]) => {
      if (!observed) return;
      const { width, height } = observed.contentRect;
      setFrame({ width: Math.max(1, width - 2 * marginPx), height: Math.max(1, height - 2 * marginPx) });
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      setElement(null);
    };
  }, []);
  const isVisible = isLoaded || hasThumbnail;
  const { width: naturalWidth, height: naturalHeight } = natural;
  // Before the browser paints, so that the zoom keys work as soon as the picture is visible.
  useLayoutEffect(() => {
    if (naturalWidth > 0 && frame.width > 0) {
      onMeasure({ frame, natural: { width: naturalWidth, height: naturalHeight } });
    }
  }, [frame, naturalWidth, naturalHeight, onMeasure]);
  useEffect(() => {
    const shown = hasThumbnail ? thumbnail.current : image.current;
    if (isVisible && origin && shown) growFrom(shown, origin);
    // Runs once, when the thumbnail or the image is visible.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isVisible, origin]);

  const shown = clampView(view, stage);
  const { width, height } = displayedSize(stage);
  const canMove = width * shown.scale > frame.width + 1 || height * shown.scale > frame.height + 1;
  return (
    <div
      ref={measure}
      className={styles.stage}
      data-gestures
      data-movable={canMove || undefined}
      {...gestures}
    >
      {!isLoaded && (
        <PicturePlaceholder
          entry={entry}
          frame={frame}
          shownRef={thumbnail}
          onShown={() => setHasThumbnail(true)}
        />
      )}
      {picture.url !== null && (
        <img
          ref={image}
          className={styles.image}
          src={picture.url}
          alt={
            isLoaded ? t('image', { name, percent: formatPercent(shown.scale / naturalZoom(stage)) }) : name
          }
          draggable={false}
          data-loaded={isLoaded || undefined}
          // The thumbnail below it disappears at once.
          data-fades={!hasThumbnail || undefined}
          data-background={background ?? undefined}
          style={
            isLoaded
              ? {
                  width,
                  height,
                  transform: `translate(-50%, -50%) translate(${shown.x}px, ${shown.y}px) scale(${shown.scale})`,
                }
              : undefined
          }
          onLoad={(event) => {
            const size = {
              width: event.currentTarget.naturalWidth,
              height: event.currentTarget.naturalHeight,
            };
            const isReduced = !picture.isFullSize && Math.max(size.width, size.height) >= largePicturePx;
            if (hasTransparency(event.currentTarget, name)) onTransparent();
            // An SVG without a size of its own fills the window.
            if (size.width > 0 && size.height > 0) setLoaded({ size, isReduced });
            else setLoaded({ size: frame, isReduced: false });
          }}
          onError={picture.onError}
        />
      )}
      {isSlow && (
        <div className={styles.loading} role="status">
          <Spinner />
          <span className="visually-hidden">{t('loading', { name })}</span>
        </div>
      )}
    </div>
  );
}
