import { useCallback, useEffect, useRef, useState, type RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../../i18n/format.ts';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { growFrom, type ScreenBox } from './grow-from.ts';
import styles from './image-stage.module.css';
import type { Picture } from './use-picture.ts';
import { useImageGestures } from './use-image-gestures.ts';
import { displayedSize, fill, naturalZoom, settle, type ImageView, type Size, type Stage } from './zoom.ts';

/** The space that is left free around a fitted image, in CSS pixels. */
const airPx = 24;
/** The longer side of the server's large picture; one of that size stands for more pixels (docs/reference/filebrowser-api.md §1.8). */
const largePicturePx = 1080;

export interface ImageStageProps {
  picture: Picture;
  name: string;
  view: ImageView;
  onView: (view: ImageView) => void;
  /** The image and its window are known: what the zoom buttons and keys work on. */
  onMeasure: (stage: Stage) => void;
  onSwipe: (towards: 'left' | 'right') => void;
  /** Where the image lay on the screen before it was opened: it grows from there. */
  origin?: ScreenBox | null | undefined;
}

const nothing: Size = { width: 0, height: 0 };

/** An image that is fitted into its window and can be enlarged and moved. The browser turns it as its EXIF data says. */
export function ImageStage(props: ImageStageProps) {
  const { picture, name, view, onView, onMeasure, onSwipe, origin } = props;
  const { t } = useTranslation('previews');
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const image = useRef<HTMLImageElement>(null);
  const [frame, setFrame] = useState<Size>(nothing);
  const [loaded, setLoaded] = useState<{ size: Size; isStandIn: boolean }>({
    size: nothing,
    isStandIn: false,
  });
  const isLoaded = loaded.size.width > 0;
  const isSlow = useDelayedFlag(!isLoaded);
  // A smaller picture stands in for one whose pixels are not known: as large as the window allows.
  const natural = loaded.isStandIn ? fill(loaded.size, frame) : loaded.size;
  const stage: Stage = { frame, natural };
  const gestures = useImageGestures(element, { stage, view, onView, onSwipe });

  const measure: RefCallback<HTMLDivElement> = useCallback((box) => {
    setElement(box);
    if (!box) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      setFrame({ width: Math.max(1, width - 2 * airPx), height: Math.max(1, height - 2 * airPx) });
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      setElement(null);
    };
  }, []);
  const { width: naturalWidth, height: naturalHeight } = natural;
  useEffect(() => {
    if (naturalWidth > 0 && frame.width > 0) {
      onMeasure({ frame, natural: { width: naturalWidth, height: naturalHeight } });
    }
  }, [frame, naturalWidth, naturalHeight, onMeasure]);
  useEffect(() => {
    if (isLoaded && origin && image.current) growFrom(image.current, origin);
    // Once, when the image has come.
  }, [isLoaded, origin]);

  const shown = settle(view, stage);
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
            const isStandIn = !picture.isWhole && Math.max(size.width, size.height) >= largePicturePx;
            // A drawing without a size of its own fills the window.
            if (size.width > 0 && size.height > 0) setLoaded({ size, isStandIn });
            else setLoaded({ size: frame, isStandIn: false });
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
