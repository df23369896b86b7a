import { pageConfig } from '../../../api/page-config.ts';
import { IconPicture } from '../../../ui/names/icon-picture.tsx';
import { previewAddress } from '../share-address.ts';
import type { PublicItem } from './open-public.ts';
import styles from './public-thumbnail.module.css';

interface PublicThumbnailProps {
  item: PublicItem;
  hash: string;
  token: string | undefined;
  /** The size of the icon in place of a missing thumbnail, in px. */
  iconSize: number;
}

/** The icon of an item, and over it its thumbnail, as large as the parent. */
export function PublicThumbnail({ item, hash, token, iconSize }: PublicThumbnailProps) {
  const { path, type, size, modifiedMs } = item;
  const hasThumbnail = pageConfig.EnableThumbs && size > 0 && (type === 'image' || type === 'video');
  const url = hasThumbnail ? previewAddress({ hash, path }, { size: 'thumb', token, key: modifiedMs }) : null;
  return <IconPicture className={styles.thumbnail} entry={item} iconSize={iconSize} url={url} />;
}
