import type { LocaleCode } from '@filestead/contract/values/locales';
import { useTranslation } from '../../i18n/use-translation.ts';
import { languageOptions } from '../../i18n/language-options.ts';
import { Select } from '../../ui/fields/select.tsx';

/** The language of a user; the empty one means that of the browser. */
export function LanguageField({
  value,
  onChange,
}: {
  value: string;
  onChange: (locale: LocaleCode | '') => void;
}) {
  const { t } = useTranslation('users');
  return (
    <Select
      label={t('form.language')}
      value={value}
      onChange={(locale) => onChange(locale as LocaleCode | '')}
      options={[{ value: '', label: t('form.browserLanguage') }, ...languageOptions()]}
    />
  );
}
