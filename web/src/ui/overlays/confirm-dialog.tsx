import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../buttons/button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** Names the consequence: "Delete 3 items for good", never just "OK". */
  confirmLabel: string;
  /** Default: danger. */
  tone?: 'danger' | 'primary' | undefined;
  cancelLabel?: string | undefined;
  isPending?: boolean | undefined;
  errorMessage?: ReactNode;
  children?: ReactNode;
}

/** Asks for confirmation of something that cannot be undone. The focus is on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, onConfirm, confirmLabel, tone = 'danger', isPending = false } = props;
  const { t } = useTranslation('common');
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      size="small"
      isDismissable={!isPending}
      footer={
        <>
          <Button autoFocus isDisabled={isPending} onClick={onClose}>
            {props.cancelLabel ?? t('cancel')}
          </Button>
          <Button variant={tone} isPending={isPending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.text}>{props.children}</div>
      <div role="alert" className={styles.error}>
        {props.errorMessage}
      </div>
    </Dialog>
  );
}
