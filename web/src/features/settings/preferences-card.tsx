import { editorThemeOf, editorThemes } from '@filestead/contract/values/editor-themes';
import type { LocaleCode } from '@filestead/contract/values/locales';
import type { UserDefaults } from '@filestead/contract/settings';
import type { Preference } from '@filestead/contract/user-fields';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { languageOptions } from '../../i18n/language-options.ts';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/fields/select.tsx';
import type { SaveProfile } from './save-profile.ts';
import { SettingRow } from './form/setting-row.tsx';
import { useInstantDraft } from './form/use-instant-draft.ts';

/** The preferences of a user as sent to the server. */
export type Preferences = Pick<UserDefaults, Preference>;

/** The fields for the display of files, which belong to the users feature. */
export type DisplayFieldsPart = ComponentType<{
  display: Preferences;
  onChange: (display: Partial<Preferences>) => void;
  renderField: (name: keyof Preferences, control: ReactNode) => ReactNode;
}>;

export interface PreferencesCardsProps {
  preferences: Preferences;
  save: SaveProfile;
  DisplayFields: DisplayFieldsPart;
  /** The field of the theme, which is a setting of this browser. */
  theme: ReactNode;
}

/** The display of files, the theme, and the language. Each field is saved at once. */
export function PreferencesCards({ preferences, save, DisplayFields, theme }: PreferencesCardsProps) {
  const { t } = useTranslation('settings');
  const { value, choose, stateOf } = useInstantDraft(preferences, save);
  return (
    <>
      <Card title={t('profile.files')} description={t('savedAtOnce')}>
        <DisplayFields
          display={value}
          onChange={choose}
          renderField={(name, control) => <SettingRow state={stateOf(name)}>{control}</SettingRow>}
        />
      </Card>
      <Card title={t('profile.look')}>
        {theme}
        <SettingRow state={stateOf('locale')}>
          <Select
            label={t('profile.language')}
            value={value.locale}
            onChange={(locale) => choose({ locale: locale as LocaleCode | '' })}
            options={[{ value: '', label: t('profile.browserLanguage') }, ...languageOptions()]}
          />
        </SettingRow>
        <SettingRow state={stateOf('aceEditorTheme')}>
          <Select
            label={t('profile.editorTheme')}
            // Other clients may have stored other names: each is shown as the theme that it maps to.
            value={editorThemeOf(value.aceEditorTheme) ?? ''}
            onChange={(aceEditorTheme) => choose({ aceEditorTheme })}
            options={[
              { value: '', label: t('profile.editorThemeOfPage') },
              ...editorThemes.map(({ name, label }) => ({ value: name, label })),
            ]}
          />
        </SettingRow>
      </Card>
    </>
  );
}
