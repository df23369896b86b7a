import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { listSharesOfPath, type Share } from '@filestead/contract/shares';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Plus, RefreshCw } from '../../ui/icons.ts';
import { DeleteShareDialog } from './delete-share-dialog.tsx';
import { ShareForm, useShareForm } from './share-form.tsx';
import { ShareList } from './share-list.tsx';
import styles from './share-dialog.module.css';
import { compareByExpiry } from './share-duration.ts';
import { nameOfEntry, shareFailureText } from './share-texts.ts';
import type { ShareTarget } from './share-target.ts';
import { useShares } from './use-shares.ts';

interface ShareDialogProps {
  target: ShareTarget;
  isOpen: boolean;
  onClose: () => void;
}

/**
 * The shares of one file or folder, and the form of a new one (docs/reference/behaviour.md §4). One instance per
 * opening, so that no typed value is kept for the next entry.
 */
export function ShareDialog({ target, isOpen, onClose }: ShareDialogProps) {
  const { t } = useTranslation('shares');
  const { path, isFolder } = target;
  const fetchShares = useCallback(
    (signal: AbortSignal) => call(listSharesOfPath, { path, isFolder, signal }),
    [path, isFolder],
  );
  const { list, change, retry } = useShares(fetchShares);
  const [isAdding, setAdding] = useState(false);
  const [newest, setNewest] = useState<string | null>(null);
  const [shareToDelete, setShareToDelete] = useState<Share | null>(null);
  const shares = list.kind === 'shown' ? list.shares : [];
  const isForm = list.kind === 'shown' && (isAdding || shares.length === 0);
  const form = useShareForm(target, (share) => {
    change((before) => [share, ...before.filter(({ hash }) => hash !== share.hash)]);
    setNewest(share.hash);
    setAdding(false);
  });
  const cancel = () => {
    form.reset();
    if (shares.length === 0) onClose();
    else setAdding(false);
  };
  return (
    <>
      <Dialog
        title={t('prompt.title', { name: isolateBidi(nameOfEntry(target)) })}
        isOpen={isOpen}
        onClose={onClose}
        onSubmit={isForm ? () => void form.submit() : undefined}
        footer={
          isForm ? (
            <>
              <Button onClick={cancel}>{t('cancel', { ns: 'common' })}</Button>
              <Button variant="primary" type="submit" isPending={form.isPending}>
                {t('prompt.share')}
              </Button>
            </>
          ) : (
            <>
              {list.kind === 'shown' && (
                <Button icon={<Plus />} onClick={() => setAdding(true)}>
                  {t('prompt.new')}
                </Button>
              )}
              <Button onClick={onClose}>{t('close', { ns: 'common' })}</Button>
            </>
          )
        }
      >
        {list.kind === 'loading' && (
          <p role="status" className={styles.message}>
            {t('loading', { ns: 'common' })}
          </p>
        )}
        {list.kind === 'failed' && (
          <div className={styles.failure}>
            <p role="alert">{t('failed.list', { reason: shareFailureText(list.error) })}</p>
            <Button size="small" icon={<RefreshCw />} onClick={retry}>
              {t('retry', { ns: 'common' })}
            </Button>
          </div>
        )}
        {isForm && <ShareForm form={form} isFolder={isFolder} />}
        {list.kind === 'shown' && !isForm && (
          <ShareList shares={inOrder(shares, newest)} newest={newest} onDelete={setShareToDelete} />
        )}
      </Dialog>
      <DeleteShareDialog
        share={shareToDelete}
        onClose={() => setShareToDelete(null)}
        onDeleted={({ hash }) => {
          change((before) => before.filter((share) => share.hash !== hash));
          // After the last share was deleted there is nothing left to show.
          if (shares.length === 1) onClose();
        }}
      />
    </>
  );
}

/** Sorts the share that was just created first. */
const inOrder = (shares: readonly Share[], newest: string | null): readonly Share[] =>
  shares.toSorted(
    (one, other) =>
      Number(other.hash === newest) - Number(one.hash === newest) || compareByExpiry(one, other),
  );
