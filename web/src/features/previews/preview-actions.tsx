import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import {
  Download,
  Ellipsis,
  Maximize,
  PanelRight,
  PencilLine,
  Play,
  RotateCw,
  Share2,
  Star,
  Trash2,
} from '../../ui/icons.ts';
import { Menu, MenuTrigger } from '../../ui/overlays/menu.tsx';
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
  /** Rotates the picture, clockwise in degrees. Absent for files that cannot be rotated, and without the permission. */
  onRotate?: ((degrees: 90 | 270) => void) | undefined;
  /** Whether the details panel is open; undefined when details are shown elsewhere. */
  isInfoOpen: boolean | undefined;
  onInfo: () => void;
  onDownload: (entry: PreviewEntry) => void;
  onDelete: (() => void) | undefined;
  /** Has a button only without a `menu`, which contains it otherwise. */
  onRename: ((entry: PreviewEntry) => void) | undefined;
  /** Opens the shares of the file. Absent without the permission to share. */
  onShare?: ((entry: PreviewEntry) => void) | undefined;
  /** The items of the menu of further actions. Absent without one. */
  menu?: ReactNode;
  /** Whether the file is a favorite of the user, and the function that changes it. Absent for visitors. */
  favorite?: { readonly isSet: boolean; readonly onToggle: () => void } | undefined;
}

/** The star and the shares of the file; on phones they are in the upper bar, which has room for them. */
export function MarkButtons({
  entry,
  favorite,
  onShare,
}: Pick<PreviewActionsProps, 'entry' | 'favorite' | 'onShare'>) {
  const { t } = useTranslation('previews');
  return (
    <>
      {favorite && (
        <IconButton
          className={styles.star}
          label={t('favorite')}
          icon={<Star fill={favorite.isSet ? 'currentColor' : 'none'} />}
          isPressed={favorite.isSet}
          onClick={favorite.onToggle}
        />
      )}
      {onShare && <IconButton label={t('share')} icon={<Share2 />} onClick={() => onShare(entry)} />}
    </>
  );
}

/** The actions for the file. Unavailable ones are absent. */
export function PreviewActions(props: PreviewActionsProps) {
  const { entry, canDownload, isActualSize, onActualSize, onSlideshow, isInfoOpen, onInfo, onRename } = props;
  const { onDelete, onRotate, menu } = props;
  const isPhone = useIsPhone();
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
      {onRotate && (
        <IconButton label={t('rotate')} shortcut="R" icon={<RotateCw />} onClick={() => onRotate(90)} />
      )}
      {!isPhone && <MarkButtons {...props} />}
      {canDownload && (
        <IconButton label={t('download')} icon={<Download />} onClick={() => props.onDownload(entry)} />
      )}
      {onRename && !menu && (
        <IconButton label={t('rename')} shortcut="F2" icon={<PencilLine />} onClick={() => onRename(entry)} />
      )}
      {onDelete && <IconButton label={t('delete')} shortcut="Delete" icon={<Trash2 />} onClick={onDelete} />}
      <IconButton
        label={t('info')}
        shortcut="I"
        icon={<PanelRight />}
        isPressed={isInfoOpen}
        onClick={onInfo}
      />
      {menu && (
        <MenuTrigger>
          <IconButton label={t('moreActions', { ns: 'files' })} icon={<Ellipsis />} hasTooltip={false} />
          <Menu placement="bottom end">{menu}</Menu>
        </MenuTrigger>
      )}
    </div>
  );
}
