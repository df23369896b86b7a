import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Download, Info, Maximize, PencilLine, Play, Trash2 } from '../../ui/icons.ts';
import type { PreviewEntry } from './preview-entry.ts';
import styles from './previewer.module.css';

export interface PreviewActionsProps {
  entry: PreviewEntry;
  canDownload: boolean;
  isActualSize: boolean;
  /** Absent when the image is not shown reduced. */
  onActualSize: (() => void) | undefined;
  /** Starts the slideshow. Absent without another picture. */
  onSlideshow: (() => void) | undefined;
  /** Whether the details panel is open; undefined when details are shown elsewhere. */
  isInfoOpen: boolean | undefined;
  onInfo: () => void;
  onDownload: (entry: PreviewEntry) => void;
  onDelete: (() => void) | undefined;
  onRename: ((entry: PreviewEntry) => void) | undefined;
}

/** The actions for the file. Unavailable ones are absent. */
export function PreviewActions(props: PreviewActionsProps) {
  const { entry, canDownload, isActualSize, onActualSize, onSlideshow, isInfoOpen, onInfo, onRename } = props;
  const { onDelete } = props;
  const { t } = useTranslation('previews');
  return (
    <div className={styles.actions} role="group" aria-label={t('actions')}>
      {onActualSize && (
        <IconButton
          label={t('actualSize')}
          shortcut="1"
          icon={<Maximize />}
          isPressed={isActualSize}
          onClick={onActualSize}
        />
      )}
      {onSlideshow && (
        <IconButton label={t('slideshow.start')} shortcut="S" icon={<Play />} onClick={onSlideshow} />
      )}
      {onRename && (
        <IconButton label={t('rename')} shortcut="F2" icon={<PencilLine />} onClick={() => onRename(entry)} />
      )}
      {onDelete && <IconButton label={t('delete')} shortcut="Delete" icon={<Trash2 />} onClick={onDelete} />}
      {canDownload && (
        <IconButton label={t('download')} icon={<Download />} onClick={() => props.onDownload(entry)} />
      )}
      <IconButton label={t('info')} shortcut="I" icon={<Info />} isPressed={isInfoOpen} onClick={onInfo} />
    </div>
  );
}
