import { commandEvents, type Settings, type SettingsResponse } from '@filestead/contract/settings';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatList, formatNumber } from '../../i18n/format.ts';
import { Card } from '../../ui/card.tsx';
import { ChevronRight } from '../../ui/icons.ts';
import { TextArea } from '../../ui/fields/text-field.tsx';
import { CardFooter } from './form/card-footer.tsx';
import type { SaveSettings } from './change-settings.ts';
import styles from './settings.module.css';
import { useCurrentPasswordField } from './use-current-password-field.tsx';
import { useCardSave } from './form/use-card-save.ts';
import type { Draft } from './form/use-draft.ts';

type Event = (typeof commandEvents)[number];
/** The commands of each event as typed. */
export type RunnerDraft = Record<Event, string>;

/** The environment variables of a hook (docs/reference/filebrowser-api.md §1.16). */
const variables = ['FILE', 'SCOPE', 'TRIGGER', 'USERNAME', 'DESTINATION'];

/** Splits a string into commands (docs/reference/behaviour.md §5: one per line, blank lines ignored). */
export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

export const runnerDraftOf = ({ commands }: Settings): RunnerDraft =>
  Object.fromEntries(
    commandEvents.map((event) => [event, (commands[event] ?? []).join('\n')]),
  ) as RunnerDraft;

/** The hooks that the server runs before and after changes of files. */
export function CommandRunnerCard({ draft, save }: { draft: Draft<RunnerDraft>; save: SaveSettings }) {
  const { t } = useTranslation('settings');
  const saving = useCardSave('commands.updated');
  const passwordField = useCurrentPasswordField();
  const submit = () =>
    void saving.run(async () => {
      const commands = Object.fromEntries(commandEvents.map((event) => [event, linesOf(draft.value[event])]));
      // Events of other versions keep their commands.
      const change = (settings: SettingsResponse) => ({
        ...settings,
        commands: { ...settings.commands, ...commands },
      });
      await passwordField.confirm((password) => save(change, password));
      draft.reset();
    });
  return (
    <Card
      title={t('commands.title')}
      description={`${t('commands.text')} ${t('commands.variables', { names: formatList(variables) })}`}
      onSubmit={submit}
      footer={<CardFooter {...saving} />}
    >
      <div className={styles.events}>
        {commandEvents.map((event) => {
          const count = linesOf(draft.value[event]).length;
          return (
            <details key={event} className={styles.event}>
              <summary className={styles.summary}>
                <ChevronRight />
                <span>{t(`commands.events.${event}`)}</span>
                <span className={styles.count}>
                  {count === 0
                    ? t('commands.none')
                    : t('commands.count', { count, number: formatNumber(count) })}
                </span>
              </summary>
              <div>
                <TextArea
                  isCode
                  isLabelHidden
                  label={`${t(`commands.events.${event}`)}: ${t('commands.field')}`}
                  placeholder={t('commands.field')}
                  rows={3}
                  value={draft.value[event]}
                  onChange={(text) => {
                    draft.change({ [event]: text });
                    saving.forget();
                  }}
                />
              </div>
            </details>
          );
        })}
      </div>
      {passwordField.field}
    </Card>
  );
}
