import { displayName } from '../../i18n/display-name.ts';
import { formatNumber, formatPercent, formatSize } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { X, ZoomIn, ZoomOut } from '../../ui/icons.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { BackgroundSwitch } from './images/background-switch.tsx';
import type { BackgroundChoice } from './images/use-background.ts';
import type { ImageZoom } from './images/use-image-zoom.ts';
import { fittedView } from './images/zoom.ts';
import { PreviewActions, type PreviewActionsProps } from './preview-actions.tsx';
import type { Neighbors } from './preview-entry.ts';
import styles from './previewer.module.css';
import { SlideshowBar } from './slideshow/slideshow-bar.tsx';
import type { Slideshow } from './slideshow/use-slideshow.ts';

interface PreviewBarProps extends Omit<PreviewActionsProps, 'onSlideshow'> {
  neighbors: Neighbors;
  backgroundChoice: BackgroundChoice;
  imageZoom: ImageZoom;
  slideshow: Slideshow;
  onClose: () => void;
}

/** The bar with the file's name, its position in the folder, its background and scale, and its actions. */
export function PreviewBar(props: PreviewBarProps) {
  const { neighbors, backgroundChoice, imageZoom, slideshow, onClose, ...actions } = props;
  const { t } = useTranslation('previews');
  const isPhone = useIsPhone();
  const { name, size } = actions.entry;
  const { background, setBackground } = backgroundChoice;
  return (
    <div className={styles.bar}>
      <IconButton label={t('close')} shortcut="Escape" icon={<X />} onClick={onClose} />
      <div className={styles.heading}>
        <h1 className={styles.name}>
          <LongName name={displayName(name)} />
        </h1>
        <div className={styles.note}>
          {neighbors.position !== null && neighbors.count > 1 && (
            // A slideshow would be announced at every picture.
            <span role={slideshow.isRunning ? undefined : 'status'}>
              {t('position', {
                position: formatNumber(neighbors.position),
                total: formatNumber(neighbors.count),
              })}
            </span>
          )}
          <bdi>{formatSize(size)}</bdi>
        </div>
      </div>
      {background !== null && !slideshow.isRunning && (
        <BackgroundSwitch background={background} onBackground={setBackground} />
      )}
      {imageZoom.percent !== null && !isPhone && !slideshow.isRunning && <ZoomButtons zoom={imageZoom} />}
      {slideshow.isRunning ? (
        <SlideshowBar slideshow={slideshow} />
      ) : (
        <PreviewActions {...actions} onSlideshow={slideshow.isAvailable ? slideshow.start : undefined} />
      )}
    </div>
  );
}

/** The buttons that change the scale of an image, and the scale. */
function ZoomButtons({ zoom }: { zoom: ImageZoom }) {
  const { t } = useTranslation('previews');
  const isFitted = zoom.view.scale === 1;
  return (
    <div className={styles.zoom} role="group" aria-label={t('zoom.label')}>
      <IconButton label={t('zoom.out')} shortcut="Minus" icon={<ZoomOut />} onClick={() => zoom.zoom(-1)} />
      <button
        type="button"
        className={styles.scale}
        aria-label={t('zoom.fit')}
        aria-pressed={isFitted}
        onClick={() => zoom.setView(fittedView)}
      >
        {isFitted ? t('zoom.fitted') : formatPercent(zoom.percent ?? 1)}
      </button>
      <IconButton label={t('zoom.in')} shortcut="Plus" icon={<ZoomIn />} onClick={() => zoom.zoom(1)} />
    </div>
  );
}
