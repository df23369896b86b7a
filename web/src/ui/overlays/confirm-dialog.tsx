import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** Names the consequence: "Delete 3 items forever", never just "OK". */
  confirmLabel: string;
  /** Default: danger. */
  tone?: 'danger' | 'primary' | undefined;
  /** Whether data is destroyed permanently: then Enter cancels, otherwise it confirms. Default: true. */
  isPermanent?: boolean | undefined;
  cancelLabel?: string | undefined;
  isPending?: boolean | undefined;
  errorMessage?: ReactNode;
  children?: ReactNode;
}

/** Asks for confirmation. The focus is on the button that Enter presses: Cancel where data is destroyed permanently. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, onConfirm, confirmLabel, tone = 'danger', isPending = false } = props;
  const { isPermanent = true } = props;
  const { t } = useTranslation('common');
  const first = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      isDismissable={!isPending}
      footer={
        <>
          <Button
            {...(isPermanent && { autoFocus: true, ref: first })}
            isDisabled={isPending}
            onClick={onClose}
          >
            {props.cancelLabel ?? t('cancel')}
          </Button>
          <Button
            {...(!isPermanent && { autoFocus: true, ref: first })}
            variant={tone}
            isPending={isPending}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <FocusFirst button={first} />
      <div className={styles.text}>{props.children}</div>
      <div role="alert" className={styles.error}>
        {props.errorMessage}
      </div>
    </Dialog>
  );
}

/**
 * Moves the focus to `button` once the dialog is shown. `autoFocus` alone is too early for a nested dialog: the outer dialog
 * takes the focus back.
 */
function FocusFirst({ button }: { button: RefObject<HTMLButtonElement | null> }) {
  useEffect(() => button.current?.focus(), [button]);
  return null;
}
