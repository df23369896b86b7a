import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import type { SettingState } from './settings-search.tsx';

/** Says whether visitors may create accounts, with a link to the setting. Its parent is a line of text. */
export function SignUpNote({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation(['users', 'settings']);
  const state: SettingState = {
    setting: { section: t('settings:global.accounts'), label: t('settings:global.signup') },
  };
  return (
    <>
      {t(isOn ? 'list.signupOn' : 'list.signupOff')}{' '}
      <Link to="/settings/global" state={state}>
        {t('list.signupChange')}
      </Link>
    </>
  );
}
