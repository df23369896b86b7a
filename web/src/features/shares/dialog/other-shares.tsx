import type { Share } from '@filestead/contract/shares';
import { useId } from 'react';
import { shareUrl } from '../../../api/public-share.ts';
import { expiryText } from '../../../i18n/expiry.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Copy, Lock, Trash2 } from '../../../ui/icons.ts';
import styles from './share-dialog.module.css';

interface OtherSharesProps {
  shares: readonly Share[];
  /** Shows the options of a share. */
  onShow: (share: Share) => void;
  onCopy: (share: Share) => void;
  onDelete: (share: Share) => void;
}

/** Further shares of the same entry. */
export function OtherShares({ shares, onShow, onCopy, onDelete }: OtherSharesProps) {
  const { t } = useTranslation('shares');
  const id = useId();
  return (
    <section className={styles.others} aria-labelledby={id}>
      <h3 id={id} className={styles.othersTitle}>
        {t('prompt.others')}
      </h3>
      <ul>
        {shares.map((share) => {
          const name = share.hash.slice(0, 6);
          return (
            <li key={share.hash} className={styles.other}>
              <span className={styles.otherTexts}>
                <bdi dir="ltr" className={styles.otherAddress} title={shareUrl(share.hash)}>
                  {`…/share/${share.hash}`}
                </bdi>
                <span className={styles.hint}>
                  {share.hasPassword && <Lock aria-label={t('protected')} />}
                  {expiryText(share)}
                  {share.username !== undefined && <bdi>{share.username}</bdi>}
                </span>
              </span>
              <Button
                size="small"
                variant="quiet"
                aria-label={t('prompt.editNamed', { name })}
                onClick={() => onShow(share)}
              >
                {t('prompt.edit')}
              </Button>
              <IconButton
                size="small"
                label={t('prompt.copyNamed', { name })}
                icon={<Copy />}
                onClick={() => onCopy(share)}
              />
              <IconButton
                size="small"
                tone="danger"
                label={t('prompt.deleteNamed', { name })}
                icon={<Trash2 />}
                onClick={() => onDelete(share)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
