import type { Settings, UserDefaults } from '@filestead/contract/settings';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { pathOfText } from '../../ui/fields/typed-path.ts';
import type { GlobalPageComponents } from './global-page-components.ts';
import { SettingRow } from './form/setting-row.tsx';
import type { InstantDraft } from './form/use-instant-draft.ts';

export interface DefaultsDraft {
  defaults: UserDefaults;
}

export const defaultsDraftOf = ({ defaults }: Settings): DefaultsDraft => ({
  // `.` and the empty string also mean the root.
  defaults: { ...defaults, scope: pathOfText(defaults.scope) ?? defaults.scope },
});

export interface DefaultsCardProps {
  draft: InstantDraft<DefaultsDraft>;
  TemplateFields: GlobalPageComponents['TemplateFields'];
}

/** The defaults of new users. Each field is saved at once. */
export function DefaultsCard({ draft, TemplateFields }: DefaultsCardProps) {
  const { t } = useTranslation('settings');
  const { defaults } = draft.value;
  /** The commands as typed. */
  const [commands, setCommands] = useState(() => defaults.commands.join(' '));
  const isScopeRight = pathOfText(defaults.scope) !== null;
  const save = () => {
    if (isScopeRight) draft.commit('defaults');
  };
  return (
    <Card title={t('defaults.newUsers')} description={t('defaults.text')}>
      <SettingRow state={draft.stateOf('defaults')}>
        <TextField
          label={t('defaults.scope')}
          description={t('defaults.scopeHint')}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={defaults.scope}
          onChange={(scope) => draft.type({ defaults: { ...defaults, scope } })}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) save();
          }}
          errorMessage={isScopeRight ? undefined : t('global.error.scope')}
        />
      </SettingRow>
      <TemplateFields
        template={defaults}
        commands={commands}
        onChange={(template, text) => {
          const next = { defaults: { ...defaults, ...template } };
          setCommands(text);
          if (text !== commands) draft.type(next);
          else if (isScopeRight) draft.choose(next, 'template');
        }}
        onCommit={save}
      />
      <SettingRow state={draft.stateOf('template')}>{null}</SettingRow>
    </Card>
  );
}
