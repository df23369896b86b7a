import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

export interface ConfirmPasswordDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: (password: string) => void;
  isPending: boolean;
  /** The last password was wrong. */
  isWrong: boolean;
}

/** Asks for the signed-in user's own password before a user is changed. */
export function ConfirmPasswordDialog(props: ConfirmPasswordDialogProps) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const [password, setPassword] = useState('');
  const close = () => {
    setPassword('');
    props.onClose();
  };
  return (
    <Dialog
      title={t('confirm.title')}
      size="small"
      isOpen={props.isOpen}
      isDismissable={!props.isPending}
      onClose={close}
      onSubmit={() => {
        if (password !== '') props.onConfirm(password);
      }}
      footer={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" isPending={props.isPending}>
            {t('confirm.submit')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('confirm.field')}
        description={t('confirm.text')}
        type="password"
        autoComplete="current-password"
        autoFocus
        hasReservedLine
        value={password}
        onChange={setPassword}
        errorMessage={props.isWrong ? t('confirm.wrong') : undefined}
      />
    </Dialog>
  );
}
