import type { SettingsResponse } from '@filestead/contract/settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pageConfig } from '../../api/page-config.ts';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { UnsavedChanges } from '../../ui/navigation/unsaved-changes.tsx';
import { CommandRunnerCard, runnerDraftOf } from './command-runner-card.tsx';
import { DefaultsCard, defaultsDraftOf } from './defaults-card.tsx';
import { GeneralCard } from './general-card.tsx';
import { generalDraftOf } from './general-draft.ts';
import type { GlobalPageComponents } from './global-page-components.ts';
import { changeSettings, settingsQuery, type SaveSettings } from './settings-queries.ts';
import { useDraft } from './use-draft.ts';

/** The settings that administrators make for all users. */
export function GlobalPage(components: GlobalPageComponents) {
  const query = useQuery(settingsQuery);
  return <Loaded query={query}>{(settings) => <GlobalCards {...components} settings={settings} />}</Loaded>;
}

function GlobalCards({
  settings,
  RulesEditor,
  TemplateFields,
}: GlobalPageComponents & { settings: SettingsResponse }) {
  const queries = useQueryClient();
  const general = useDraft(generalDraftOf(settings));
  const defaults = useDraft(defaultsDraftOf(settings));
  const runner = useDraft(runnerDraftOf(settings));
  const save: SaveSettings = async (change, currentPassword) => {
    queries.setQueryData(settingsQuery.queryKey, await changeSettings(change, currentPassword));
  };
  return (
    <>
      <GeneralCard
        draft={general}
        save={save}
        defaultScope={settings.defaults.scope}
        letterCase={settings.letterCase}
        RulesEditor={RulesEditor}
      />
      <DefaultsCard draft={defaults} save={save} TemplateFields={TemplateFields} />
      {pageConfig.EnableExec && <CommandRunnerCard draft={runner} save={save} />}
      <UnsavedChanges isDirty={general.isChanged || defaults.isChanged || runner.isChanged} />
    </>
  );
}
