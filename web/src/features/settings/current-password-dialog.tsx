import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import type { PasswordQuestion } from './form/use-instant-draft.ts';

/** Asks for the user's own password, which confirms a change. */
export function CurrentPasswordDialog({ isOpen, isWrong, isPending, onConfirm, onClose }: PasswordQuestion) {
  const { t } = useTranslation('settings');
  const [password, setPassword] = useState('');
  const close = () => {
    setPassword('');
    onClose();
  };
  return (
    <Dialog
      title={t('password.confirmTitle')}
      size="small"
      isOpen={isOpen}
      isDismissable={!isPending}
      onClose={close}
      onSubmit={() => {
        if (password === '') return;
        onConfirm(password);
        setPassword('');
      }}
      footer={
        <>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {t('password.confirmChange')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('password.current')}
        type="password"
        autoComplete="current-password"
        autoFocus
        hasReservedLine
        value={password}
        onChange={setPassword}
        errorMessage={isWrong && password === '' ? t('password.wrongCurrent') : undefined}
      />
    </Dialog>
  );
}
