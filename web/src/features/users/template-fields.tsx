import type { UserDefaults } from '@filestead/contract/settings';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { CardPart } from '../../ui/card.tsx';
import { CommandsField, wordsOf } from './commands-field.tsx';
import { DisplayFields } from './display-fields.tsx';
import { LanguageField } from './language-field.tsx';
import { PermissionFields } from './permission-fields.tsx';

type Template = Omit<UserDefaults, 'scope'>;

export interface TemplateFieldsProps {
  template: Template;
  /** The commands as typed. */
  commands: string;
  onChange: (template: Template, commands: string) => void;
  /** Called when a typed text is complete. */
  onCommit?: (() => void) | undefined;
}

/** The defaults of new users. */
export function TemplateFields({ template, commands, onChange, onCommit }: TemplateFieldsProps) {
  const { t } = useTranslation('users');
  const change = (part: Partial<Template>) => onChange({ ...template, ...part }, commands);
  return (
    <>
      <LanguageField value={template.locale} onChange={(locale) => change({ locale })} />
      <CardPart title={t('form.appearance')}>
        <DisplayFields display={template} onChange={change} />
      </CardPart>
      <CardPart title={t('permissions.title')}>
        <PermissionFields perm={template.perm} onChange={(perm) => change({ perm })} />
        {pageConfig.EnableExec && (
          <CommandsField
            text={commands}
            onChange={(text) => onChange({ ...template, commands: wordsOf(text) }, text)}
            onBlur={onCommit}
          />
        )}
      </CardPart>
    </>
  );
}
