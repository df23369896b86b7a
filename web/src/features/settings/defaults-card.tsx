import type { Settings, UserDefaults } from '@filestead/contract/settings';
import { parsePath } from '@filestead/contract/paths/virtual-path';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { CardFooter } from './card-footer.tsx';
import { isPathText } from './general-draft.ts';
import type { SaveSettings } from './settings-queries.ts';
import type { GlobalPageComponents } from './global-page-components.ts';
import { useCardSave } from './use-card-save.ts';
import type { Draft } from './use-draft.ts';

export interface DefaultsDraft {
  defaults: UserDefaults;
  /** The commands as typed. */
  commands: string;
}

export const defaultsDraftOf = ({ defaults }: Settings): DefaultsDraft => ({
  // `.` and the empty string also mean the root.
  defaults: {
    ...defaults,
    scope: isPathText(defaults.scope) ? parsePath(defaults.scope.trim()).path : defaults.scope,
  },
  commands: defaults.commands.join(' '),
});

export interface DefaultsCardProps {
  draft: Draft<DefaultsDraft>;
  save: SaveSettings;
  TemplateFields: GlobalPageComponents['TemplateFields'];
}

/** The defaults of new users. */
export function DefaultsCard({ draft, save, TemplateFields }: DefaultsCardProps) {
  const { t } = useTranslation('settings');
  const saving = useCardSave('updated');
  const { defaults, commands } = draft.value;
  const isScopeRight = isPathText(defaults.scope);
  const change = (part: Partial<DefaultsDraft>) => {
    draft.change(part);
    saving.forget();
  };
  const submit = () => {
    if (!isScopeRight) return;
    void saving.run(async () => {
      await save((settings) => ({ ...settings, defaults }));
      draft.reset();
    });
  };
  return (
    <Card
      title={t('defaults.title')}
      description={t('defaults.text')}
      onSubmit={submit}
      footer={<CardFooter {...saving} />}
    >
      <TextField
        label={t('defaults.scope')}
        description={t('defaults.scopeHint')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={defaults.scope}
        onChange={(scope) => change({ defaults: { ...defaults, scope } })}
        errorMessage={isScopeRight ? undefined : t('global.error.scope')}
      />
      <TemplateFields
        template={defaults}
        commands={commands}
        onChange={(template, text) => change({ defaults: { ...defaults, ...template }, commands: text })}
      />
    </Card>
  );
}
