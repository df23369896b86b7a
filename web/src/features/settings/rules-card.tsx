import type { Rule } from '@filestead/contract/rules';
import type { SettingsResponse } from '@filestead/contract/settings';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Card } from '../../ui/card.tsx';
import { CardFooter } from './form/card-footer.tsx';
import type { GlobalPageComponents } from './global-page-components.ts';
import type { SaveSettings } from './change-settings.ts';
import { useCardSave } from './form/use-card-save.ts';
import { useCurrentPasswordField } from './use-current-password-field.tsx';
import type { Draft } from './form/use-draft.ts';

export interface RulesDraft {
  rules: readonly Rule[];
}

export interface RulesCardProps {
  draft: Draft<RulesDraft>;
  save: SaveSettings;
  letterCase: SettingsResponse['letterCase'];
  RulesEditor: GlobalPageComponents['RulesEditor'];
}

/** The rules for all users. They depend on each other, so they are saved together. */
export function RulesCard({ draft, save, letterCase, RulesEditor }: RulesCardProps) {
  const { t } = useTranslation('settings');
  const saving = useCardSave('updated');
  const passwordField = useCurrentPasswordField();
  const submit = () =>
    void saving.run(async () => {
      const rules = [...draft.value.rules];
      await passwordField.confirm((password) => save((settings) => ({ ...settings, rules }), password));
      draft.reset();
    });
  return (
    <Card
      title={t('global.rules')}
      description={t('global.rulesHint')}
      onSubmit={submit}
      footer={draft.isChanged || saving.isDone ? <CardFooter {...saving} /> : undefined}
    >
      <RulesEditor
        rules={draft.value.rules}
        letterCase={letterCase}
        refusal={saving.refusal}
        onChange={(rules) => {
          draft.change({ rules });
          saving.forget();
        }}
      />
      {passwordField.field}
    </Card>
  );
}
