import { useState } from 'react';
import { pageConfig } from '../../../api/page-config.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { lowerCaseExtension, fileKind } from '../../../ui/names/file-kind.ts';
import type { PublicItem } from './open-public.ts';
import styles from './public-thumbnail.module.css';
import { previewAddress } from '../share-address.ts';

interface PublicThumbnailProps {
  item: PublicItem;
  hash: string;
  token: string | undefined;
  /** The size of the icon in place of a missing thumbnail, in px. */
  iconSize: number;
}

/** The thumbnail of an item, above its icon, once it is loaded. */
export function PublicThumbnail({ item, hash, token, iconSize }: PublicThumbnailProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading');
  const { path, type, size, modifiedMs, isFolder, name } = item;
  const mayHaveThumbnail = pageConfig.EnableThumbs && size > 0 && (type === 'image' || type === 'video');
  return (
    <span className={styles.frame} data-shown={state === 'shown' || undefined}>
      <FileIcon
        kind={fileKind(item)}
        size={iconSize}
        extension={isFolder ? undefined : lowerCaseExtension(name)}
      />
      {mayHaveThumbnail && state !== 'broken' && (
        <img
          src={previewAddress({ hash, path }, { size: 'thumb', token, key: modifiedMs })}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setState('shown')}
          onError={() => setState('broken')}
        />
      )}
    </span>
  );
}
