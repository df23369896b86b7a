import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import { TextField } from '../fields/text-field.tsx';
import { Dialog } from './dialog.tsx';

/** The state of a dialog that asks for the user's own password, which some changes require. */
export interface PasswordQuestion {
  readonly isOpen: boolean;
  /** Whether the last password was wrong. */
  readonly isWrong: boolean;
  readonly isPending: boolean;
  readonly onConfirm: (password: string) => void;
  readonly onClose: () => void;
}

interface PasswordDialogTexts {
  readonly title: string;
  /** The text above the field. */
  readonly label: string;
  readonly description?: string;
  readonly submitLabel: string;
  /** The error below the field after a wrong password. */
  readonly wrongPassword: string;
}

/** Asks for the user's own password, which confirms a change. A wrong password is cleared. */
export function PasswordDialog(props: PasswordQuestion & PasswordDialogTexts) {
  const { isPending, onConfirm } = props;
  const { t } = useTranslation('common');
  const [password, setPassword] = useState('');
  const close = () => {
    setPassword('');
    props.onClose();
  };
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      isDismissable={!isPending}
      onClose={close}
      onSubmit={() => {
        if (password === '') return;
        onConfirm(password);
        setPassword('');
      }}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {props.submitLabel}
          </Button>
        </>
      }
    >
      <TextField
        label={props.label}
        description={props.description}
        type="password"
        autoComplete="current-password"
        autoFocus
        hasReservedLine
        value={password}
        onChange={setPassword}
        errorMessage={props.isWrong && password === '' ? props.wrongPassword : undefined}
      />
    </Dialog>
  );
}
