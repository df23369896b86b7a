import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import type { FileEntry } from '../entries/entry.ts';
import { closePrompt, type RemovePrompt } from './prompt-store.ts';
import styles from './remove-dialog.module.css';

/** Maximum number of listed names. */
const maxNamesShown = 5;

/** Asks before entries are deleted permanently; shows their name, or the first few and the count. */
export function RemoveDialog({ prompt, isOpen }: { prompt: RemovePrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { entries } = prompt;
  const close = () => closePrompt(prompt);
  const only = entries.length === 1 ? entries[0] : undefined;
  return (
    <ConfirmDialog
      title={
        only
          ? t('remove.titleOne', { name: isolateBidi(only.name) })
          : t('remove.titleMany', pluralValues(entries.length))
      }
      isOpen={isOpen}
      onClose={close}
      onConfirm={() => {
        close();
        prompt.onConfirm();
      }}
      confirmLabel={only ? t('remove.confirmOne') : t('remove.confirmMany', pluralValues(entries.length))}
    >
      {only ? t(only.isFolder ? 'remove.folder' : 'remove.file') : <Names entries={entries} />}
    </ConfirmDialog>
  );
}

function Names({ entries }: { entries: readonly FileEntry[] }) {
  const { t } = useTranslation('files');
  const hidden = entries.length - maxNamesShown;
  return (
    <>
      <ul className={styles.names}>
        {entries.slice(0, maxNamesShown).map(({ name, path }) => (
          <li key={path}>
            <bdi>{displayName(name)}</bdi>
          </li>
        ))}
        {hidden > 0 && <li className={styles.more}>{t('remove.andMore', pluralValues(hidden))}</li>}
      </ul>
      {t('remove.many')}
    </>
  );
}
