import type { Share } from '@filestead/contract/shares';
import { pageConfig } from '../../../api/page-config.ts';
import { previewUrl } from '../../../api/preview-url.ts';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { IconPicture } from '../../../ui/names/icon-picture.tsx';
import type { ShareTarget } from '../share-target.ts';
import styles from './share-picture.module.css';

interface SharePictureProps {
  share: Pick<Share, 'size' | 'modified' | 'type'>;
  target: ShareTarget;
  /** Whether the user may download, without which the server sends no thumbnails. */
  canDownload: boolean;
}

/** The icon of a shared entry, and over it the thumbnail of a picture or video that exists. */
export function SharePicture({ share, target, canDownload }: SharePictureProps) {
  const { name, path, isFolder } = target;
  const { size, modified, type } = share;
  // Without its type, as that of a missing entry, the name decides.
  const entry = { name, isFolder, type: type ?? 'blob' };
  const kind = fileKind(entry);
  const hasThumbnail =
    canDownload &&
    pageConfig.EnableThumbs &&
    modified !== undefined &&
    size !== undefined &&
    size > 0 &&
    (kind === 'image' || kind === 'video');
  const url = hasThumbnail ? previewUrl({ path, modifiedMs: Date.parse(modified) }, 'thumb') : null;
  return <IconPicture className={styles.picture} entry={entry} iconSize={24} url={url} />;
}
