import { useTranslation } from '../../i18n/use-translation.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './editor.module.css';
import type { PendingNavigation } from '../../ui/navigation/use-leave-guard.ts';

interface LeaveDialogProps {
  name: string;
  pending: PendingNavigation | null;
  isSaving: boolean;
  /** Saves the document; resolves with whether the server has stored it. */
  onSave: () => Promise<boolean>;
}

/** Asks whether to save changes before the user leaves. */
export function LeaveDialog({ name, pending, isSaving, onSave }: LeaveDialogProps) {
  const { t } = useTranslation('editor');
  const saveAndLeave = async () => {
    const isSaved = await onSave();
    if (isSaved) pending?.proceed();
    else pending?.cancel();
  };
  return (
    <Dialog
      title={t('leave.title')}
      role="alertdialog"
      isOpen={pending !== null}
      onClose={() => pending?.cancel()}
      footer={
        <>
          <Button onClick={() => pending?.proceed()}>{t('leave.discard')}</Button>
          <Button onClick={() => pending?.cancel()}>{t('leave.stay')}</Button>
          <Button variant="primary" autoFocus isPending={isSaving} onClick={() => void saveAndLeave()}>
            {t('leave.save')}
          </Button>
        </>
      }
    >
      <p>{t('leave.text', { name: displayName(name) })}</p>
    </Dialog>
  );
}

interface ChangedDialogProps {
  name: string;
  isOpen: boolean;
  /** Absent without the permission to create files. */
  onSaveCopy?: (() => void) | undefined;
  onOverwrite: () => void;
  onReload: () => void;
  onKeepEditing: () => void;
}

/** Reports that the file has a newer version on the server and was not saved, and lets the user choose. */
export function ChangedDialog(props: ChangedDialogProps) {
  const { name, isOpen, onSaveCopy, onOverwrite, onReload, onKeepEditing } = props;
  const { t } = useTranslation('editor');
  return (
    <Dialog
      title={t('conflict.title')}
      role="alertdialog"
      size="larger"
      isOpen={isOpen}
      onClose={onKeepEditing}
      footer={
        <>
          <Button className={styles.choice} variant="danger" onClick={onOverwrite}>
            {t('conflict.overwrite')}
          </Button>
          <Button className={styles.choice} onClick={onReload}>
            {t('conflict.reload')}
          </Button>
          <Button
            className={styles.choice}
            variant={onSaveCopy ? 'secondary' : 'primary'}
            autoFocus={!onSaveCopy}
            onClick={onKeepEditing}
          >
            {t('conflict.keepEditing')}
          </Button>
          {onSaveCopy && (
            <Button className={styles.choice} variant="primary" autoFocus onClick={onSaveCopy}>
              {t('conflict.saveCopy')}
            </Button>
          )}
        </>
      }
    >
      <p>{t('conflict.text', { name: displayName(name) })}</p>
    </Dialog>
  );
}
