import type { UserDefaults } from '@filestead/contract/settings';
import { sortKeys, viewModes } from '@filestead/contract/users';
import { useTranslation } from 'react-i18next';
import { pageConfig } from '../../api/page-config.ts';
import { CardPart } from '../../ui/card.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { CommandsField, wordsOf } from './commands-field.tsx';
import { LanguageField } from './language-field.tsx';
import { PermissionFields } from './permission-fields.tsx';
import styles from './user-fields.module.css';

type Template = Omit<UserDefaults, 'scope'>;

export interface TemplateFieldsProps {
  template: Template;
  /** The commands as they are typed. */
  commands: string;
  onChange: (template: Template, commands: string) => void;
}

/** What new users start with. */
export function TemplateFields({ template, commands, onChange }: TemplateFieldsProps) {
  const { t } = useTranslation('users');
  const { sorting } = template;
  const change = (part: Partial<Template>) => onChange({ ...template, ...part }, commands);
  const flags = ['singleClick', 'hideDotfiles', 'dateFormat', 'redirectAfterCopyMove'] as const;
  return (
    <>
      <LanguageField value={template.locale} onChange={(locale) => change({ locale })} />
      <CardPart title={t('form.behaviour')}>
        <div className={styles.columns}>
          <Select
            label={t('form.viewMode')}
            value={template.viewMode}
            onChange={(viewMode) => change({ viewMode })}
            options={viewModes.map((value) => ({ value, label: t(`form.viewModes.${value}`) }))}
          />
          <Select
            label={t('form.sortBy')}
            value={sorting.by}
            onChange={(by) => change({ sorting: { ...sorting, by } })}
            options={sortKeys.map((value) => ({ value, label: t(`form.sortKeys.${value}`) }))}
          />
          <Select
            label={t('form.sortDirection')}
            value={String(sorting.asc)}
            onChange={(asc) => change({ sorting: { ...sorting, asc: asc === 'true' } })}
            options={[
              { value: 'false', label: t(`form.directions.${sorting.by}Usual`) },
              { value: 'true', label: t(`form.directions.${sorting.by}Other`) },
            ]}
          />
        </div>
        <div className={styles.switches}>
          {flags.map((name) => (
            <Switch
              key={name}
              isSelected={template[name]}
              onChange={(isSelected) => change({ [name]: isSelected })}
            >
              {t(`form.${name}`)}
            </Switch>
          ))}
        </div>
      </CardPart>
      <CardPart title={t('permissions.title')}>
        <PermissionFields perm={template.perm} onChange={(perm) => change({ perm })} />
        {pageConfig.EnableExec && (
          <CommandsField
            text={commands}
            onChange={(text) => onChange({ ...template, commands: wordsOf(text) }, text)}
          />
        )}
      </CardPart>
    </>
  );
}
