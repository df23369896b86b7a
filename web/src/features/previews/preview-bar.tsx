import { displayName } from '../../i18n/display-name.ts';
import { formatNumber, formatPercent, formatSize } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { ArrowLeft, Minus, Plus } from '../../ui/icons.ts';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../ui/names/file-kind.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { BackgroundSwitch } from './images/background-switch.tsx';
import type { BackgroundChoice } from './images/use-background.ts';
import type { ImageZoom } from './images/use-image-zoom.ts';
import { fittedView } from './images/zoom.ts';
import { MarkButtons, PreviewActions, type PreviewActionsProps } from './preview-actions.tsx';
import type { Neighbors } from './preview-entry.ts';
import styles from './previewer.module.css';
import { useMediaNotes } from './use-media-notes.ts';
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
  const { entry } = actions;
  const { name, size } = entry;
  const mediaNotes = useMediaNotes(entry, actions.canDownload && !isPhone && !slideshow.isRunning);
  const { background, setBackground } = backgroundChoice;
  return (
    <div className={styles.bar}>
      <IconButton label={t('close')} shortcut="Escape" icon={<ArrowLeft />} onClick={onClose} />
      {!isPhone && (
        <FileIcon
          kind={fileKind({ ...entry, isFolder: false })}
          size={24}
          extension={lowerCaseExtension(name)}
        />
      )}
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
          {/* The points between them have the direction of the page. */}
          {[formatSize(size), ...mediaNotes].map((note) => (
            <span key={note}>
              <bdi>{note}</bdi>
            </span>
          ))}
        </div>
      </div>
      {background !== null && !slideshow.isRunning && (
        <div className={styles.background}>
          <BackgroundSwitch background={background} onBackground={setBackground} />
        </div>
      )}
      {imageZoom.percent !== null && !isPhone && !slideshow.isRunning && <ZoomButtons zoom={imageZoom} />}
      {slideshow.isRunning ? (
        <SlideshowBar slideshow={slideshow} />
      ) : (
        <>
          {isPhone && <MarkButtons {...actions} />}
          <PreviewActions {...actions} onSlideshow={slideshow.isAvailable ? slideshow.start : undefined} />
        </>
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
      <IconButton label={t('zoom.out')} shortcut="Minus" icon={<Minus />} onClick={() => zoom.zoom(-1)} />
      <button
        type="button"
        className={styles.scale}
        aria-label={t('zoom.fit')}
        aria-pressed={isFitted}
        onClick={() => zoom.setView(fittedView)}
      >
        {isFitted ? t('zoom.fitted') : formatPercent(zoom.percent ?? 1)}
      </button>
      <IconButton label={t('zoom.in')} shortcut="Plus" icon={<Plus />} onClick={() => zoom.zoom(1)} />
    </div>
  );
}
