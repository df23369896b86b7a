import { useCallback, useEffect, useState, type RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../i18n/format.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useDelayedFlag } from '../../ui/use-delayed-flag.ts';
import styles from './image-stage.module.css';
import { useImageGestures } from './use-image-gestures.ts';
import { displayedSize, naturalZoom, settle, type ImageView, type Size } from './zoom.ts';

/** The space that is left free around a fitted image, in CSS pixels. */
const airPx = 24;

interface ImageStageProps {
  url: string;
  name: string;
  view: ImageView;
  onView: (view: ImageView) => void;
  /** The image and its window are known: what the zoom buttons and keys work on. */
  onMeasure: (stage: { frame: Size; natural: Size }) => void;
  onSwipe: (towards: 'left' | 'right') => void;
  onBroken: () => void;
}

const nothing: Size = { width: 0, height: 0 };

/** An image that is fitted into its window and can be enlarged and moved. The browser turns it as its EXIF data says. */
export function ImageStage({ url, name, view, onView, onMeasure, onSwipe, onBroken }: ImageStageProps) {
  const { t } = useTranslation('previews');
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [frame, setFrame] = useState<Size>(nothing);
  const [natural, setNatural] = useState<Size>(nothing);
  const isLoaded = natural.width > 0;
  const isSlow = useDelayedFlag(!isLoaded);
  const stage = { frame, natural };
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
  useEffect(() => {
    if (natural.width > 0 && frame.width > 0) onMeasure({ frame, natural });
  }, [frame, natural, onMeasure]);

  const shown = settle(view, stage);
  const { width, height } = displayedSize(stage);
  const canMove = width * shown.scale > frame.width + 1 || height * shown.scale > frame.height + 1;
  return (
    <div ref={measure} className={styles.stage} data-movable={canMove || undefined} {...gestures}>
      <img
        className={styles.image}
        src={url}
        alt={isLoaded ? t('image', { name, percent: formatPercent(shown.scale / naturalZoom(stage)) }) : name}
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
          const { naturalWidth, naturalHeight } = event.currentTarget;
          // A drawing without a size of its own fills the window.
          setNatural(
            naturalWidth > 0 && naturalHeight > 0 ? { width: naturalWidth, height: naturalHeight } : frame,
          );
        }}
        onError={onBroken}
      />
      {isSlow && (
        <div className={styles.loading} role="status">
          <Spinner />
          <span className="visually-hidden">{t('loading', { name })}</span>
        </div>
      )}
    </div>
  );
}
