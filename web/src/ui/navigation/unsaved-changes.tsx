import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

/** Asks before what was typed is lost by going elsewhere. One per page: it looks after all of its forms. */
export function UnsavedChanges({ areThere }: { areThere: boolean }) {
  const { t } = useTranslation('common');
  const pending = useLeaveGuard(areThere);
  return (
    <ConfirmDialog
      title={t('unsaved.title')}
      isOpen={pending !== null}
      onClose={() => pending?.stay()}
      onConfirm={() => pending?.leave()}
      cancelLabel={t('unsaved.stay')}
      confirmLabel={t('unsaved.leave')}
    >
      {t('unsaved.text')}
    </ConfirmDialog>
  );
}
