import { useTranslation } from '../../i18n/use-translation.ts';
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

/** Asks for confirmation before navigation discards unsaved input. Render it once per page, for all of its forms. */
export function UnsavedChanges({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation('common');
  const pending = useLeaveGuard(isDirty);
  return (
    <ConfirmDialog
      title={t('unsaved.title')}
      isOpen={pending !== null}
      onClose={() => pending?.cancel()}
      onConfirm={() => pending?.proceed()}
      cancelLabel={t('unsaved.stay')}
      confirmLabel={t('unsaved.leave')}
    >
      {t('unsaved.text')}
    </ConfirmDialog>
  );
}
