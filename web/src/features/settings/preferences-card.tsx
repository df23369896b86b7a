import { editorThemeOf, editorThemes } from '@filestead/contract/values/editor-themes';
import type { LocaleCode } from '@filestead/contract/values/locales';
import type { UserDefaults } from '@filestead/contract/settings';
import type { Preference } from '@filestead/contract/user-fields';
import type { ComponentType } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { languageOptions } from '../../i18n/language-options.ts';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { CardFooter } from './card-footer.tsx';
import type { SaveProfile } from './save-profile.ts';
import { useCardSave } from './use-card-save.ts';
import type { Draft } from './use-draft.ts';

/** The preferences of a user as sent to the server. */
export type Preferences = Pick<UserDefaults, Preference>;

/** The fields for the display of files, which belong to the users feature. */
export type DisplayFieldsPart = ComponentType<{
  display: Preferences;
  onChange: (display: Partial<Preferences>) => void;
}>;

export interface PreferencesCardProps {
  draft: Draft<Preferences>;
  save: SaveProfile;
  DisplayFields: DisplayFieldsPart;
}

/** The display of files, and the language. */
export function PreferencesCard({ draft, save, DisplayFields }: PreferencesCardProps) {
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
      <DisplayFields display={value} onChange={change} />
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
