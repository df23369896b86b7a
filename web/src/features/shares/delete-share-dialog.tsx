import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { deleteShare, type Share } from '@filestead/contract/shares';
import { nameOf, parsePath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { call, isApiError } from '../../api/call.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { isExpired } from './share-duration.ts';
import { nameOfEntry, shareFailureText } from './share-texts.ts';

interface DeleteShareDialogProps {
  /** Null while the dialog is closed. */
  share: Share | null;
  onClose: () => void;
  onDeleted: (share: Share) => void;
}

/** Asks for confirmation and deletes a share. */
export function DeleteShareDialog({ share, onClose, onDeleted }: DeleteShareDialogProps) {
  const { t } = useTranslation('shares');
  /** The dialog still names the share while it is closing. */
  const [last, setLast] = useState(share);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (share !== null && share !== last) {
    setLast(share);
    setFailure(null);
  }
  const remove = async () => {
    if (share === null) return;
    setPending(true);
    setFailure(null);
    try {
      await call(deleteShare, { params: { hash: share.hash }, query: { expired: 'true' } }).catch(
        (error: unknown) => {
          // The share has been deleted already.
          if (!isApiError(error, 'not_found')) throw error;
        },
      );
      showToast({ tone: 'success', message: t('shareDeleted') });
      onDeleted(share);
      onClose();
    } catch (error) {
      setFailure(shareFailureText(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <ConfirmDialog
      title={t('delete.title')}
      isOpen={share !== null}
      onClose={onClose}
      onConfirm={() => void remove()}
      confirmLabel={t('delete.confirm')}
      isPending={isPending}
      errorMessage={failure}
    >
      {last &&
        t(isExpired(last) ? 'delete.expiredText' : 'delete.text', {
          name: isolateBidi(nameOfEntry({ name: nameOf(parsePath(last.path).path) })),
        })}
    </ConfirmDialog>
  );
}
