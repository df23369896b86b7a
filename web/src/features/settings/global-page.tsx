import type { SettingsResponse } from '@filestead/contract/settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pageConfig } from '../../api/page-config.ts';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { UnsavedChanges } from '../../ui/navigation/unsaved-changes.tsx';
import { CommandRunnerCard, runnerDraftOf } from './command-runner-card.tsx';
import { settingsQuery } from '../../api/settings-query.ts';
import { CurrentPasswordDialog } from './current-password-dialog.tsx';
import { DefaultsCard, defaultsDraftOf, type DefaultsDraft } from './defaults-card.tsx';
import { generalDraftOf, withGeneral, type GeneralDraft } from './general-draft.ts';
import { GeneralSections } from './general-sections.tsx';
import type { GlobalPageComponents } from './global-page-components.ts';
import { RulesCard, type RulesDraft } from './rules-card.tsx';
import { changeSettings, type SaveSettings } from './change-settings.ts';
import { useDraft } from './form/use-draft.ts';
import { useInstantDraft } from './form/use-instant-draft.ts';

/** The settings that administrators make for all users. */
export function GlobalPage(components: GlobalPageComponents) {
  const query = useQuery(settingsQuery);
  return (
    <Loaded query={query}>{(settings) => <GlobalSections {...components} settings={settings} />}</Loaded>
  );
}

function GlobalSections({
  settings,
  RulesEditor,
  TemplateFields,
}: GlobalPageComponents & { settings: SettingsResponse }) {
  const queries = useQueryClient();
  const save: SaveSettings = async (change, currentPassword) => {
    queries.setQueryData(settingsQuery.queryKey, await changeSettings(change, currentPassword));
  };
  const general = useInstantDraft<GeneralDraft>(generalDraftOf(settings), (change, password) =>
    save((current) => withGeneral(current, { ...generalDraftOf(current), ...change }), password),
  );
  const defaults = useInstantDraft<DefaultsDraft>(defaultsDraftOf(settings), (change, password) =>
    save((current) => ({ ...current, defaults: change.defaults ?? current.defaults }), password),
  );
  const rules = useDraft<RulesDraft>({ rules: settings.rules });
  const runner = useDraft(runnerDraftOf(settings));
  return (
    <>
      <GeneralSections
        draft={general}
        defaultScope={settings.defaults.scope}
        rules={
          <RulesCard draft={rules} save={save} letterCase={settings.letterCase} RulesEditor={RulesEditor} />
        }
      />
      <DefaultsCard draft={defaults} TemplateFields={TemplateFields} />
      {pageConfig.EnableExec && <CommandRunnerCard draft={runner} save={save} />}
      <CurrentPasswordDialog {...general.question} />
      <CurrentPasswordDialog {...defaults.question} />
      <UnsavedChanges
        isDirty={general.isChanged || defaults.isChanged || rules.isChanged || runner.isChanged}
      />
    </>
  );
}
