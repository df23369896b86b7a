import type { Share } from '@filestead/contract/shares';
import { useRef, useState } from 'react';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { formatEnd, withOnePeriod } from '../../../i18n/expiry.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Check, Plus, QrCode as QrIcon } from '../../../ui/icons.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { LazyQrCode } from '../lazy-qr-code.tsx';
import { removeShares } from '../remove-shares.ts';
import { shareUrl } from '../../../api/public-share.ts';
import type { ShareHost } from '../share-host.ts';
import type { ShareTarget } from '../share-target.ts';
import { RetryMessage } from '../retry-message.tsx';
import { nameOfEntry, shareFailureText } from '../share-texts.ts';
import { OtherShares } from './other-shares.tsx';
import styles from './share-dialog.module.css';
import { ShareAddressField } from './share-address-field.tsx';
import { ShareOptions } from './share-options.tsx';
import { useTargetShares, type TargetShares } from './use-target-shares.ts';

interface ShareDialogProps {
  target: ShareTarget;
  /** The hash of the share whose options are shown first. */
  shownHash?: string | undefined;
  host: ShareHost;
  isOpen: boolean;
  onClose: () => void;
}

/**
 * The share of one file or folder. Opening the dialog creates it and copies its address; the options are saved at once. One
 * instance per opening.
 */
export function ShareDialog({ target, shownHash, host, isOpen, onClose }: ShareDialogProps) {
  const { t } = useTranslation('shares');
  const shares = useTargetShares(target, host, shownHash);
  const { list, current, others } = shares;
  const [qrOf, setQrOf] = useState<string | null>(null);
  const options = useRef<{ commit: () => Promise<void> }>(null);
  const close = () => {
    void options.current?.commit();
    onClose();
  };
  const remove = async (share: Share) => {
    if ((await removeShares([share], host)).length === 0) return;
    shares.forget(share);
    // The last share was deleted: there is nothing to show.
    if (others.length === 0) onClose();
  };
  return (
    <Dialog
      title={t('prompt.title', { name: isolateBidi(nameOfEntry(target)) })}
      isOpen={isOpen}
      onClose={close}
      size="large"
      footer={
        <>
          <SaveStatus shares={shares} />
          {current && (
            <>
              <Button
                variant="quiet"
                icon={<QrIcon />}
                aria-expanded={qrOf === current.hash}
                onClick={() => setQrOf(qrOf === current.hash ? null : current.hash)}
              >
                {t('showQr')}
              </Button>
              <Button variant="quiet" className={styles.delete} onClick={() => void remove(current)}>
                {t('delete.action')}
              </Button>
            </>
          )}
          <Button onClick={close}>{t('prompt.done')}</Button>
        </>
      }
    >
      {(list.kind === 'loading' || shares.isCreating) && current === null && (
        <p role="status" className={styles.message}>
          {t(shares.isCreating ? 'prompt.creating' : 'prompt.loading')}
        </p>
      )}
      {list.kind === 'failed' && (
        <RetryMessage
          text={t('failed.list', { reason: shareFailureText(list.error) })}
          isSmall
          onRetry={shares.retry}
        />
      )}
      {list.kind === 'shown' && current === null && !shares.isCreating && shares.saving.kind === 'failed' && (
        <RetryMessage text={shares.saving.text} isSmall onRetry={() => void shares.create()} />
      )}
      {current && (
        <>
          <ShareAddressField
            key={`address ${current.hash}`}
            share={current}
            isFolder={target.isFolder}
            isCopied={shares.copied === current.hash}
            onCopy={() => shares.copy(current)}
          />
          {qrOf === current.hash && (
            <div className={styles.qr}>
              <LazyQrCode address={shareUrl(current.hash)} />
            </div>
          )}
          <ShareOptions key={current.hash} ref={options} share={current} onSave={shares.save} />
          {others.length > 0 && (
            <OtherShares
              shares={others}
              onShow={(share) => {
                void options.current?.commit();
                shares.show(share);
              }}
              onCopy={(share) => void shares.copy(share)}
              onDelete={(share) => void remove(share)}
            />
          )}
          <div className={styles.more}>
            <Button
              variant="quiet"
              size="small"
              icon={<Plus />}
              isPending={shares.isCreating}
              onClick={() => void shares.create()}
            >
              {t('prompt.new')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** The result of the last change, at the start of the footer. */
function SaveStatus({ shares: { saving, current } }: { shares: TargetShares }) {
  const { t } = useTranslation('shares');
  const isSaved = saving.kind === 'saved' && current !== null;
  const isFailed = saving.kind === 'failed' && current !== null;
  return (
    <p className={styles.status} data-failed={isFailed || undefined}>
      <span role="status" className={styles.saved}>
        {isSaved && (
          <>
            <Check />
            <span>
              {current.expire === 0
                ? t('prompt.savedForever')
                : withOnePeriod(t('prompt.savedUntil', { when: formatEnd(current.expire * 1000) }))}
            </span>
          </>
        )}
      </span>
      <span role="alert">{isFailed && saving.text}</span>
    </p>
  );
}
