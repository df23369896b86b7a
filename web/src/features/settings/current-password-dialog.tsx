import { useTranslation } from '../../i18n/use-translation.ts';
import { PasswordDialog, type PasswordQuestion } from '../../ui/overlays/password-dialog.tsx';

/** Asks for the user's own password before a setting is changed. */
export function CurrentPasswordDialog(question: PasswordQuestion) {
  const { t } = useTranslation('settings');
  return (
    <PasswordDialog
      {...question}
      title={t('password.confirmTitle')}
      label={t('password.current')}
      submitLabel={t('password.confirmChange')}
      wrongPassword={t('password.wrongCurrent')}
    />
  );
}
