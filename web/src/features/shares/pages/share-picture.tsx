import { getPreview } from '@filestead/contract/previews';
import { useState } from 'react';
import { urlOf } from '../../../api/call.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../../ui/names/file-kind.ts';
import type { ShareTarget } from '../share-target.ts';
import styles from './share-picture.module.css';

interface SharePictureProps {
  target: ShareTarget;
  /** Whether the user may download, without which the server sends no thumbnails. */
  canDownload: boolean;
}

/** The icon of a shared entry, and above it the thumbnail of a picture or video once it is loaded. */
export function SharePicture({ target, canDownload }: SharePictureProps) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const { name, path, isFolder } = target;
  const kind = fileKind({ name, isFolder, type: 'blob' });
  const mayHaveThumbnail = canDownload && pageConfig.EnableThumbs && (kind === 'image' || kind === 'video');
  return (
    <span className={styles.picture} data-loaded={state === 'loaded' || undefined}>
      <FileIcon kind={kind} size={24} extension={isFolder ? undefined : lowerCaseExtension(name)} />
      {mayHaveThumbnail && state !== 'failed' && (
        <img
          // Without a key, which the list of shares does not tell, the browser asks whether the file has changed.
          src={urlOf(getPreview, { path, params: { size: 'thumb' }, query: { inline: 'true' } })}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
        />
      )}
    </span>
  );
}
