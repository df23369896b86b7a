import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { archiveFormatNames } from '@filestead/contract/values/archive-formats';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Download } from '../../../ui/icons.ts';
import { RadioGroup } from '../../../ui/fields/radio-group.tsx';
import { downloadArchive, lastFormat, offeredFormats } from '../downloads/download-archive.ts';
import { transferFailureReason } from '../feedback/failure.ts';
import styles from './download-dialog.module.css';
import { closePrompt, type DownloadPrompt } from './prompt-store.ts';

/** Asks for the archive format of folders or several files. */
export function DownloadDialog({ prompt, isOpen }: { prompt: DownloadPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { paths } = prompt;
  const [format, setFormat] = useState(lastFormat);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(prompt.failure ?? null);
  const close = () => closePrompt(prompt);
  const send = async () => {
    if (isPending) return;
    setPending(true);
    setFailure(null);
    try {
      await downloadArchive(paths, format);
      close();
    } catch (error) {
      setFailure(transferFailureReason(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      title={titleOf(prompt, t)}
      isOpen={isOpen}
      onClose={close}
      onSubmit={() => void send()}
      footer={
        <>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit" icon={<Download />} isPending={isPending} autoFocus>
            {t('actions.download')}
          </Button>
        </>
      }
    >
      <p className={styles.text}>{t('archive.text')}</p>
      <RadioGroup
        label={t('archive.format')}
        isLabelHidden
        value={format}
        onChange={(next) => {
          setFormat(next);
          setFailure(null);
        }}
        options={offeredFormats.map((value) => ({
          value,
          label: <bdi dir="ltr">{archiveFormatNames[value].extension.slice(1)}</bdi>,
          description: t(`archive.formats.${value}`),
        }))}
      />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </Dialog>
  );
}

type Translate = ReturnType<typeof useTranslation<'files'>>['t'];

function titleOf({ name, paths }: DownloadPrompt, t: Translate): string {
  if (name !== '') return t('archive.titleOne', { name: isolateBidi(name) });
  return paths.length === 1 ? t('archive.titleAll') : t('archive.titleMany', pluralValues(paths.length));
}
