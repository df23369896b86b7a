import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { isAtOrBelow, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FolderPlus } from '../../../ui/icons.ts';
import { counted } from '../feedback/toasts.ts';
import { judgeDestination } from '../transfers/judge-destination.ts';
import styles from './destination-dialog.module.css';
import { FolderBrowser } from './folder-browser.tsx';
import { NewFolderRow } from './new-folder-row.tsx';
import { closePrompt, type DestinationPrompt } from './prompt-store.ts';

/** Asks for the folder that entries are moved or copied to, or that files are uploaded to. */
export function DestinationDialog({ prompt, isOpen }: { prompt: DestinationPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { transfer, entries, start, canCreate, onChosen } = prompt;
  const names = prompt.names ?? entries.map(({ name }) => name);
  const [shown, setShown] = useState<VirtualPath>(start);
  /** A folder in the shown one that was picked; the shown one itself otherwise. */
  const [picked, setPicked] = useState<VirtualPath | null>(null);
  const [isNaming, setNaming] = useState(false);
  const [version, setVersion] = useState(0);
  const destination = picked ?? shown;
  const judge = (path: VirtualPath) =>
    transfer === 'upload' ? { isRefused: false, reason: null } : judgeDestination(transfer, entries, path);
  const verdict = judge(destination);
  const close = () => closePrompt(prompt);
  const show = (path: VirtualPath) => {
    setShown(path);
    setPicked(null);
    setNaming(false);
  };
  const confirm = (path = destination) => {
    if (judge(path).isRefused) {
      // The footer says why.
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
          : t(`transfer.${transfer}TitleMany`, counted(names.length))
      }
      isOpen={isOpen}
      onClose={close}
      size="large"
      isFlush
      onSubmit={() => confirm()}
      footer={
        <>
          <p className={styles.sentence} data-refused={verdict.isRefused || undefined} aria-live="polite">
            {verdict.reason
              ? t(`transfer.${verdict.reason}`)
              : t(`transfer.${transfer}Footer`, {
                  ...counted(names.length),
                  place: isolateBidi(destination.split('/').join(' / ').trim()),
                })}
          </p>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit" isDisabled={verdict.isRefused}>
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
