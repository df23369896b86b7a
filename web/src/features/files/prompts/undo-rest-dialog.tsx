import { useTranslation } from '../../../i18n/use-translation.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { closePrompt, type UndoRestPrompt } from './prompt-store.ts';

/** Asks whether to undo the entries of an action that have not changed since. */
export function UndoRestDialog({ prompt, isOpen }: { prompt: UndoRestPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { total, undone, onReply } = prompt;
  const reply = (isConfirmed: boolean) => {
    closePrompt(prompt);
    onReply(isConfirmed);
  };
  return (
    <ConfirmDialog
      title={t('undo.restTitle')}
      isOpen={isOpen}
      tone="primary"
      isPermanent={false}
      confirmLabel={t('undo.restConfirm', pluralValues(undone))}
      onClose={() => reply(false)}
      onConfirm={() => reply(true)}
    >
      {t('undo.restText', { ...pluralValues(total - undone), total: pluralValues(total).number })}
    </ConfirmDialog>
  );
}
