import type { SyntheticEvent } from 'react';
import { pageConfig } from '../../../api/page-config.ts';
import { IconPicture } from '../../../ui/names/icon-picture.tsx';
import { previewAddress } from '../share-address.ts';
import { type PublicItem, hasPicture } from './open-public.ts';
import styles from './public-thumbnail.module.css';

interface PublicThumbnailProps {
  item: PublicItem;
  hash: string;
  token: string | undefined;
  /** The size of the icon in place of a missing thumbnail, in px. */
  iconSize: number;
  /** `thumb` is cropped to a square; `medium` has the proportions of the picture. */
  size: 'thumb' | 'medium';
  /** Called with width divided by height of the loaded picture. */
  onRatio?: ((ratio: number) => void) | undefined;
}

/** The icon of an item, and over it its thumbnail, as large as the parent. */
export function PublicThumbnail({ item, hash, token, iconSize, size, onRatio }: PublicThumbnailProps) {
  const { path, modifiedMs } = item;
  const hasThumbnail = pageConfig.EnableThumbs && hasPicture(item);
  const url = hasThumbnail ? previewAddress({ hash, path }, { size, token, key: modifiedMs }) : null;
  return (
    <span
      className={styles.thumbnail}
      // The event of a picture does not bubble.
      onLoadCapture={({ target }: SyntheticEvent) => {
        if (!(target instanceof HTMLImageElement) || target.naturalHeight === 0) return;
        onRatio?.(target.naturalWidth / target.naturalHeight);
      }}
    >
      <IconPicture className={styles.thumbnail} entry={item} iconSize={iconSize} url={url} />
    </span>
  );
}
