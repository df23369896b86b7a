import type { LocaleCode } from '@filestead/contract/locales';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageOptions } from '../../i18n/language-options.ts';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { showToast } from '../../ui/toast.ts';
import { CardFooter } from './card-footer.tsx';
import { failureText } from './failure-text.ts';
import type { SaveProfile } from './save-profile.ts';
import styles from './settings.module.css';
import type { Draft } from './use-draft.ts';

export interface Preferences {
  hideDotfiles: boolean;
  singleClick: boolean;
  dateFormat: boolean;
  redirectAfterCopyMove: boolean;
  locale: string;
}

/** How the files are shown, and the language. */
export function PreferencesCard({ draft, save }: { draft: Draft<Preferences>; save: SaveProfile }) {
  const { t } = useTranslation('settings');
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const { value, change } = draft;

  const submit = async () => {
    setFailure('');
    setPending(true);
    try {
      await save({ ...value, locale: value.locale as LocaleCode | '' });
      draft.reset();
      showToast({ tone: 'success', message: t('updated') });
    } catch (error) {
      setFailure(failureText(t, error));
    } finally {
      setPending(false);
    }
  };

  return (
    <Card
      title={t('profile.title')}
      onSubmit={() => void submit()}
      footer={<CardFooter isPending={isPending} failure={failure} />}
    >
      <div className={styles.switches}>
        <Switch
          isSelected={value.hideDotfiles}
          description={t('profile.hideDotfilesHint')}
          onChange={(hideDotfiles) => change({ hideDotfiles })}
        >
          {t('profile.hideDotfiles')}
        </Switch>
        <Switch
          isSelected={value.singleClick}
          description={t('profile.singleClickHint')}
          onChange={(singleClick) => change({ singleClick })}
        >
          {t('profile.singleClick')}
        </Switch>
        <Switch
          isSelected={value.dateFormat}
          description={t('profile.dateFormatHint')}
          onChange={(dateFormat) => change({ dateFormat })}
        >
          {t('profile.dateFormat')}
        </Switch>
        <Switch
          isSelected={value.redirectAfterCopyMove}
          onChange={(redirectAfterCopyMove) => change({ redirectAfterCopyMove })}
        >
          {t('profile.redirectAfterCopyMove')}
        </Switch>
      </div>
      <Select
        label={t('profile.language')}
        value={value.locale}
        onChange={(locale) => change({ locale })}
        options={[{ value: '', label: t('profile.browserLanguage') }, ...languageOptions()]}
      />
    </Card>
  );
}
