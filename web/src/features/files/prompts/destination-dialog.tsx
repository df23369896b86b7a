import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FolderPlus } from '../../../ui/icons.ts';
import { checkDestination } from '../transfers/check-destination.ts';
import styles from './destination-dialog.module.css';
import { FolderBrowser } from './folder-browser.tsx';
import { NewFolderRow } from './new-folder-row.tsx';
import { closePrompt, type DestinationPrompt } from './prompt-store.ts';

/** Asks for the folder to which entries are moved or copied, files uploaded, or deleted items restored. */
export function DestinationDialog({ prompt, isOpen }: { prompt: DestinationPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { transfer, entries, start, canCreate, onChosen } = prompt;
  const names = prompt.names ?? entries.map(({ name }) => name);
  const [shown, setShown] = useState<VirtualPath>(start);
  /** The folder picked within the shown one; null for the shown one itself. */
  const [picked, setPicked] = useState<VirtualPath | null>(null);
  const [isNaming, setNaming] = useState(false);
  const [version, setVersion] = useState(0);
  const destination = picked ?? shown;
  const checkFolder = (path: VirtualPath) =>
    transfer === 'upload' || transfer === 'restore'
      ? { isRefused: false, reason: null }
      : checkDestination(transfer, entries, path);
  const check = checkFolder(destination);
  const close = () => closePrompt(prompt);
  const show = (path: VirtualPath) => {
    setShown(path);
    setPicked(null);
    setNaming(false);
  };
  const confirm = (path = destination) => {
    if (checkFolder(path).isRefused) {
      // The footer shows the reason.
      if (path !== shown) setPicked(path);
      return;
    }
    close();
    onChosen(path);
  };
  const only = names.length === 1 ? names[0] : undefined;
  return (
    <Dialog
      title={
        only
          ? t(`transfer.${transfer}TitleOne`, { name: isolateBidi(only) })
          : t(`transfer.${transfer}TitleMany`, pluralValues(names.length))
      }
      isOpen={isOpen}
      onClose={close}
      size="large"
      isFlush
      onSubmit={() => confirm()}
      footer={
        <>
          <p className={styles.sentence} data-refused={check.isRefused || undefined} aria-live="polite">
            {check.reason
              ? t(`transfer.${check.reason}`)
              : t(`transfer.${transfer}Footer`, {
                  ...pluralValues(names.length),
                  place: isolateBidi(destination.split('/').join(' / ').trim()),
                })}
          </p>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit" isDisabled={check.isRefused}>
            {t(`transfer.${transfer}Button`)}
          </Button>
        </>
      }
    >
      <FolderBrowser
        key={version}
        shown={shown}
        picked={picked}
        onShow={show}
        onPick={setPicked}
        onConfirm={confirm}
        isClosed={(path) => entries.some((entry) => entry.isFolder && isAtOrBelow(path, entry.path))}
        end={
          canCreate && (
            <Button
              variant="quiet"
              size="small"
              icon={<FolderPlus />}
              isDisabled={isNaming}
              onClick={() => setNaming(true)}
            >
              {t('transfer.newFolder')}
            </Button>
          )
        }
      >
        {isNaming && (
          <NewFolderRow
            folder={shown}
            onCancel={() => setNaming(false)}
            onCreated={(path) => {
              setVersion((previous) => previous + 1);
              show(path);
            }}
          />
        )}
      </FolderBrowser>
    </Dialog>
  );
}
