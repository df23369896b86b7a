import type { Share } from '@filestead/contract/shares';
import { useId, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Copy, Link2, Lock, QrCode as QrIcon, Trash2 } from '../../ui/icons.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { copyShareUrl } from './copy-share-url.ts';
import { LazyQrCode } from './lazy-qr-code.tsx';
import styles from './share-list.module.css';
import { directDownloadUrl, shareUrl } from './share-address.ts';
import { describeExpiry } from './share-duration.ts';

interface ShareListProps {
  shares: readonly Share[];
  /** The hash of the share that was just created; its address is ready to be copied. */
  newest: string | null;
  onDelete: (share: Share) => void;
}

/** The shares of one entry: each as a field that can be copied, with its expiry. */
export function ShareList({ shares, newest, onDelete }: ShareListProps) {
  const { t } = useTranslation('shares');
  return (
    <ul className={styles.list} aria-label={t('prompt.links')}>
      {shares.map((share) => (
        <ShareRow
          key={share.hash}
          share={share}
          isNewest={share.hash === newest}
          onDelete={() => onDelete(share)}
        />
      ))}
    </ul>
  );
}

function ShareRow({ share, isNewest, onDelete }: { share: Share; isNewest: boolean; onDelete: () => void }) {
  const { t } = useTranslation('shares');
  const [hasQr, setQr] = useState(false);
  const qrId = useId();
  const field = useRef<HTMLInputElement>(null);
  const address = shareUrl(share.hash);
  const end = describeExpiry(share);
  return (
    <li className={styles.row}>
      <div className={styles.address}>
        <TextField
          ref={field}
          label={t('prompt.address')}
          isLabelHidden
          value={address}
          readOnly
          dir="ltr"
          onFocus={(event) => event.target.select()}
          onChange={() => undefined}
        />
        <Button
          variant={isNewest ? 'primary' : 'secondary'}
          icon={<Copy />}
          autoFocus={isNewest}
          onClick={() => void copyShareUrl(address, field.current)}
        >
          {t('copy', { ns: 'common' })}
        </Button>
      </div>
      <div className={styles.foot}>
        <span className={styles.metadata}>
          <span>{end === null ? t('permanent') : t('ends', { when: end })}</span>
          {share.hasPassword && (
            <span className={styles.detail}>
              <Lock />
              {t('protected')}
            </span>
          )}
          {share.username !== undefined && <bdi className={styles.detail}>{share.username}</bdi>}
        </span>
        <span className={styles.actions}>
          {!share.hasPassword && (
            <IconButton
              size="small"
              label={t('copyDirect')}
              icon={<Link2 />}
              onClick={() => void copyShareUrl(directDownloadUrl(share))}
            />
          )}
          <IconButton
            size="small"
            label={t('showQr')}
            icon={<QrIcon />}
            aria-expanded={hasQr}
            aria-controls={hasQr ? qrId : undefined}
            onClick={() => setQr(!hasQr)}
          />
          <IconButton
            size="small"
            tone="danger"
            label={t('delete.action')}
            icon={<Trash2 />}
            onClick={onDelete}
          />
        </span>
      </div>
      {hasQr && (
        <div id={qrId} className={styles.qr}>
          <LazyQrCode address={address} />
        </div>
      )}
    </li>
  );
}
