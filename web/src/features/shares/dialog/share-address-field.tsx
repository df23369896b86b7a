import type { Share } from '@filestead/contract/shares';
import { useRef } from 'react';
import { shareUrl } from '../../../api/public-share.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { copyAddress } from '../../../ui/copy-address.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Check, Copy, Link2 } from '../../../ui/icons.ts';
import { directDownloadUrl } from '../share-address.ts';
import styles from './share-dialog.module.css';

interface ShareAddressFieldProps {
  share: Share;
  isFolder: boolean;
  isCopied: boolean;
  /** Resolves to false if the browser does not allow copying. */
  onCopy: () => Promise<boolean>;
}

/** The address of a share, with the button that copies it, and who can open it. */
export function ShareAddressField({ share, isFolder, isCopied, onCopy }: ShareAddressFieldProps) {
  const { t } = useTranslation('shares');
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    if (await onCopy()) return;
    // Selects the address, so that the user can copy it.
    field.current?.focus();
    field.current?.select();
  };
  const kind = isFolder ? 'Folder' : 'File';
  return (
    <div className={styles.addressField}>
      <div className={styles.addressLine}>
        <TextField
          ref={field}
          className={styles.address}
          label={t('prompt.address')}
          isLabelHidden
          icon={<Link2 />}
          size="large"
          value={shareUrl(share.hash)}
          readOnly
          dir="ltr"
          onFocus={(event) => event.target.select()}
          onChange={() => undefined}
        />
        <Button
          variant="primary"
          size="large"
          icon={isCopied ? <Check /> : <Copy />}
          autoFocus
          className={styles.copy}
          onClick={() => void copy()}
        >
          {isCopied ? t('prompt.copied') : t('copy', { ns: 'common' })}
        </Button>
        <span role="status" className="visually-hidden">
          {isCopied && t('linkCopied')}
        </span>
      </div>
      <p className={styles.intro}>
        {t(share.hasPassword ? `form.introProtected${kind}` : `form.intro${kind}`)}{' '}
        {share.visits > 0 && t('prompt.visits', { count: share.visits, number: formatNumber(share.visits) })}{' '}
        {share.username !== undefined && t('prompt.owner', { name: share.username })}
      </p>
      {!share.hasPassword && (
        <button
          type="button"
          className={styles.direct}
          onClick={() => void copyAddress(directDownloadUrl(share))}
        >
          {t('copyDirect')}
        </button>
      )}
    </div>
  );
}
