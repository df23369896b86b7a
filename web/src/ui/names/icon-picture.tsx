import { useState } from 'react';
import { FileIcon } from './file-icon.tsx';
import { fileKind, lowerCaseExtension } from './file-kind.ts';
import styles from './icon-picture.module.css';

interface IconPictureProps {
  entry: Parameters<typeof fileKind>[0];
  /** The size of the icon, in px. */
  iconSize: number;
  /** The address of the thumbnail; null if there is none. */
  url: string | null;
  /** Sets the size of the picture. */
  className?: string | undefined;
  /** A selector for parents that address this part. */
  'data-part'?: string;
}

/** The icon of an entry, and over it the thumbnail once it is loaded. The icon stays if it cannot be. */
export function IconPicture({ entry, iconSize, url, className = '', 'data-part': part }: IconPictureProps) {
  const [shown, setShown] = useState<{ url: string | null; state: 'loaded' | 'failed' } | null>(null);
  const state = shown?.url === url ? shown.state : 'loading';
  return (
    <span
      className={`${styles.frame} ${className}`}
      data-part={part}
      data-loaded={state === 'loaded' || undefined}
    >
      <FileIcon
        kind={fileKind(entry)}
        size={iconSize}
        extension={entry.isFolder ? undefined : lowerCaseExtension(entry.name)}
      />
      {url !== null && state !== 'failed' && (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setShown({ url, state: 'loaded' })}
          onError={() => setShown({ url, state: 'failed' })}
        />
      )}
    </span>
  );
}
