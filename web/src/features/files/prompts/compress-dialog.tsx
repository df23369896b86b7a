import { archiveFormatNames } from '@filestead/contract/values/archive-formats';
import { useState } from 'react';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { RadioGroup } from '../../../ui/fields/radio-group.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { lastFormat, offeredFormats } from '../downloads/download-archive.ts';
import { checkName } from '../entries/name-check.ts';
import styles from './download-dialog.module.css';
import { closePrompt, type CompressPrompt } from './prompt-store.ts';

/** Asks for the name and the format of a new archive. A name that exists gets a number, so it is not refused. */
export function CompressDialog({ prompt, isOpen }: { prompt: CompressPrompt; isOpen: boolean }) {
  const { t } = useTranslation(['jobs', 'files']);
  const { folder, name: entryName, count, suggestion, onChosen } = prompt;
  const [stem, setStem] = useState(suggestion);
  const [format, setFormat] = useState(lastFormat);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const { extension } = archiveFormatNames[format];
  const { name, problem } = checkName(stem, folder, () => false);
  const whole = checkName(`${name}${extension}`, folder, () => false);
  const shownProblem = problem ?? whole.problem;
  const isShown = shownProblem !== null && (shownProblem !== 'empty' || wasSubmitted);
  const close = () => closePrompt(prompt);
  const send = () => {
    setWasSubmitted(true);
    if (shownProblem !== null) return;
    close();
    onChosen(name, format);
  };
  return (
    <Dialog
      title={
        entryName === ''
          ? t('archives.titleMany', pluralValues(count))
          : t('archives.titleOne', { name: isolateBidi(entryName) })
      }
      isOpen={isOpen}
      onClose={close}
      onSubmit={send}
      footer={
        <>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit">
            {t('archives.compress')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('archives.name')}
        value={stem}
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        hasReservedLine
        onFocus={(event) => {
          if (stem === suggestion) event.target.select();
        }}
        end={
          <bdi dir="ltr" className={styles.text}>
            {extension}
          </bdi>
        }
        onChange={setStem}
        errorMessage={
          isShown && shownProblem !== 'unchanged'
            ? t(`files:nameProblems.${shownProblem}`, { name: isolateBidi(name) })
            : undefined
        }
      />
      <RadioGroup
        label={t('archives.format')}
        value={format}
        onChange={setFormat}
        options={offeredFormats.map((value) => ({
          value,
          label: <bdi dir="ltr">{archiveFormatNames[value].extension.slice(1)}</bdi>,
          description: t(`files:archive.formats.${value}`),
        }))}
      />
    </Dialog>
  );
}
