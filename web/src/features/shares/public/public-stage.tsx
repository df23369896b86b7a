import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Link } from '../../../ui/navigation/router.tsx';
import { pageConfig } from '../../../api/page-config.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { canShowPdf } from '../../../ui/can-show-pdf.ts';
import type { PublicEntry } from './open-public.ts';
import styles from './public-stage.module.css';
import { usePreviewLink } from './public-previews.ts';
import { downloadAddress, previewAddress, subtitleAddress } from '../share-address.ts';

/** The content of a shared file, if browsers can show its type; nothing otherwise. */
export function PublicStage({ entry, canPreview }: { entry: PublicEntry; canPreview: boolean }) {
  const { t } = useTranslation('shares');
  const [isBroken, setBroken] = useState(false);
  const { type, name, token, modifiedMs } = entry;
  const address = downloadAddress(entry, { token, isInline: true, key: modifiedMs });
  if (isBroken) return null;
  const player = {
    src: address,
    controls: true,
    preload: 'metadata',
    'aria-label': name,
    onError: () => setBroken(true),
  } as const;
  switch (type) {
    case 'image':
      return (
        <Picture entry={entry} address={address} canPreview={canPreview} onBroken={() => setBroken(true)} />
      );
    case 'video':
      return (
        <div className={styles.stage}>
          <video className={styles.video} playsInline {...player}>
            {entry.subtitles.map((path, index) => (
              <track
                key={path}
                kind="captions"
                src={subtitleAddress({ hash: entry.hash, path }, { token })}
                label={t('public.subtitle', { number: formatNumber(index + 1) })}
                default={index === 0}
              />
            ))}
          </video>
        </div>
      );
    case 'audio':
      return (
        <div className={styles.sound}>
          <audio className={styles.audio} {...player} />
        </div>
      );
    case 'pdf':
      return canShowPdf() ? (
        <iframe className={styles.paper} src={address} title={name} sandbox={undefined} />
      ) : null;
    default:
      return null;
  }
}

interface PictureProps {
  entry: PublicEntry;
  /** The address of the original image. */
  address: string;
  canPreview: boolean;
  onBroken: () => void;
}

/** The server's preview image if there is one, else the original. */
function Picture({ entry, address, canPreview, onBroken }: PictureProps) {
  const link = usePreviewLink(entry);
  const { t } = useTranslation('shares');
  const [isFullSize, setFullSize] = useState(!pageConfig.EnableThumbs);
  const [isLoaded, setLoaded] = useState(false);
  const { token, modifiedMs, name } = entry;
  const picture = (
    <img
      className={styles.picture}
      src={isFullSize ? address : previewAddress(entry, { size: 'big', token, key: modifiedMs })}
      alt={name}
      data-loaded={isLoaded || undefined}
      onLoad={() => setLoaded(true)}
      onError={() => (isFullSize ? onBroken() : setFullSize(true))}
    />
  );
  return (
    <div className={styles.stage}>
      {canPreview ? (
        <Link className={styles.opening} title={t('public.preview')} replace={false} {...link}>
          {picture}
        </Link>
      ) : (
        picture
      )}
    </div>
  );
}
