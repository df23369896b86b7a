import { editorThemeOf, editorThemes } from '@filestead/contract/values/editor-themes';
import type { LocaleCode } from '@filestead/contract/values/locales';
import type { Sorting, ViewMode } from '@filestead/contract/users';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { languageOptions } from '../../i18n/language-options.ts';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { CardFooter } from './card-footer.tsx';
import type { SaveProfile } from './save-profile.ts';
import styles from './settings.module.css';
import { useCardSave } from './use-card-save.ts';
import type { Draft } from './use-draft.ts';

export interface Preferences {
  hideDotfiles: boolean;
  singleClick: boolean;
  dateFormat: boolean;
  redirectAfterCopyMove: boolean;
  locale: LocaleCode | '';
  viewMode: ViewMode;
  sorting: Sorting;
  aceEditorTheme: string;
}

/** The fields for the view and sorting of listings, which belong to the users feature. */
export type ViewFieldsPart = ComponentType<{
  view: Pick<Preferences, 'viewMode' | 'sorting'>;
  onChange: (view: Partial<Pick<Preferences, 'viewMode' | 'sorting'>>) => void;
}>;

export interface PreferencesCardProps {
  draft: Draft<Preferences>;
  save: SaveProfile;
  ViewFields: ViewFieldsPart;
}

/** The display of files, and the language. */
export function PreferencesCard({ draft, save, ViewFields }: PreferencesCardProps) {
  const { t } = useTranslation('settings');
  const saving = useCardSave('updated');
  const { value } = draft;
  const change = (part: Partial<Preferences>) => {
    draft.change(part);
    saving.forget();
  };

  const submit = () =>
    void saving.run(async () => {
      const changed = draft.changes();
      if (Object.keys(changed).length > 0) await save(changed);
      draft.reset();
    });

  return (
    <Card title={t('profile.title')} onSubmit={submit} footer={<CardFooter {...saving} />}>
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
      <ViewFields view={value} onChange={change} />
      <Select
        label={t('profile.language')}
        value={value.locale}
        onChange={(locale) => change({ locale: locale as LocaleCode | '' })}
        options={[{ value: '', label: t('profile.browserLanguage') }, ...languageOptions()]}
      />
      <Select
        label={t('profile.editorTheme')}
        // Other clients know more names: each is shown as the theme that it maps to.
        value={editorThemeOf(value.aceEditorTheme) ?? ''}
        onChange={(aceEditorTheme) => change({ aceEditorTheme })}
        options={[
          { value: '', label: t('profile.editorThemeOfPage') },
          ...editorThemes.map(({ name, label }) => ({ value: name, label })),
        ]}
      />
    </Card>
  );
}
