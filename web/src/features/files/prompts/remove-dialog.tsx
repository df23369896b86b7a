import { listVersions } from '@filestead/contract/endpoints/versions';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { call } from '../../../api/call.ts';
import { pluralValues, formatSize } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { useEffect, useState } from 'react';
import { loadTexts } from '../../../i18n/i18n.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { measureFolder } from '../details/measure-folder.ts';
import type { FileEntry } from '../entries/entry.ts';
import { closePrompt, type RemovePrompt } from './prompt-store.ts';
import styles from './remove-dialog.module.css';

// The words for what is deleted forever are those of the trash. Without them the dialog shows their keys.
await loadTexts('trash').catch(() => undefined);

/** Maximum number of listed names. */
const maxNamesShown = 5;

/**
 * Asks before entries are deleted permanently, or copied to the trash; shows their name, or the first few and the count, and how
 * much is in them.
 */
export function RemoveDialog(props: { prompt: RemovePrompt; isOpen: boolean }) {
  return props.prompt.needsCopy === true ? <CopyToTrash {...props} /> : <RemoveForever {...props} />;
}

/** Returns the entry of a prompt if it is the only one, and the handlers of the dialog. */
function confirmationOf(prompt: RemovePrompt) {
  const onClose = () => closePrompt(prompt);
  return {
    only: prompt.entries.length === 1 ? prompt.entries[0] : undefined,
    onClose,
    onConfirm: () => {
      onClose();
      prompt.onConfirm();
    },
  };
}

function CopyToTrash({ prompt, isOpen }: { prompt: RemovePrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { entries } = prompt;
  const { only, ...handlers } = confirmationOf(prompt);
  return (
    <ConfirmDialog
      title={
        only
          ? t('copyToTrash.titleOne', { name: isolateBidi(only.name) })
          : t('copyToTrash.titleMany', pluralValues(entries.length))
      }
      isOpen={isOpen}
      {...handlers}
      confirmLabel={t('copyToTrash.confirm')}
      tone="primary"
      isPermanent={false}
    >
      {!only && <Names entries={entries} />}
      {t('copyToTrash.text')}
      <TotalSize entries={entries} />
    </ConfirmDialog>
  );
}

/** Returns which entries are deleted, for the sentence that says what happens. */
function consequenceOf(entries: readonly FileEntry[]): 'folder' | 'file' | 'files' | 'many' {
  const hasFolders = entries.some(({ isFolder }) => isFolder);
  if (entries.length === 1) return hasFolders ? 'folder' : 'file';
  return hasFolders ? 'many' : 'files';
}

function RemoveForever({ prompt, isOpen }: { prompt: RemovePrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { entries, cannotKeep } = prompt;
  const { only, ...handlers } = confirmationOf(prompt);
  return (
    <ConfirmDialog
      title={
        only
          ? t('remove.titleOne', { name: isolateBidi(only.name) })
          : t('remove.titleMany', pluralValues(entries.length))
      }
      isOpen={isOpen}
      {...handlers}
      confirmLabel={only ? t('remove.confirmOne') : t('remove.confirmMany', pluralValues(entries.length))}
    >
      {cannotKeep && <p className={styles.reason}>{t('remove.cannotKeep')}</p>}
      {!only && <Names entries={entries} />}
      <Consequence entries={entries} />
      {only && !only.isFolder && <VersionCount path={only.path} />}
    </ConfirmDialog>
  );
}

function Names({ entries }: { entries: readonly FileEntry[] }) {
  const { t } = useTranslation('files');
  const hidden = entries.length - maxNamesShown;
  return (
    <ul className={styles.names}>
      {entries.slice(0, maxNamesShown).map(({ name, path }) => (
        <li key={path}>
          <bdi>{displayName(name)}</bdi>
        </li>
      ))}
      {hidden > 0 && <li className={styles.more}>{t('remove.andMore', pluralValues(hidden))}</li>}
    </ul>
  );
}

/** Shows how many earlier versions of a file are deleted with it; nothing if there are none or they cannot be counted. */
function VersionCount({ path }: { path: VirtualPath }) {
  const { t } = useTranslation('files');
  const [count, setCount] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    call(listVersions, { path, query: { limit: '1' }, signal: controller.signal }).then(
      ({ total }) => setCount(total),
      () => undefined,
    );
    return () => controller.abort();
  }, [path]);
  return count === 0 ? null : <p>{t('remove.versions', pluralValues(count))}</p>;
}

/** Says what is deleted: the number and size of the entries with everything in them, unless that cannot be measured. */
function Consequence({ entries }: { entries: readonly FileEntry[] }) {
  const { t } = useTranslation(['files', 'trash']);
  const total = useTotal(entries);
  return (
    <p className={styles.consequence} aria-live="polite">
      {total === 'counting'
        ? t('remove.counting')
        : total === null
          ? t(`remove.${consequenceOf(entries)}`)
          : total.count === 1
            ? t('trash:purge.textOneWithSize', { size: formatSize(total.bytes) })
            : t('trash:purge.text', { ...pluralValues(total.count), size: formatSize(total.bytes) })}
    </p>
  );
}

/** Shows the number and size of the entries with everything in them; nothing if that cannot be measured. */
function TotalSize({ entries }: { entries: readonly FileEntry[] }) {
  const { t } = useTranslation('files');
  const total = useTotal(entries);
  if (total === null) return null;
  return (
    <p className={styles.total} aria-live="polite">
      {total === 'counting'
        ? t('remove.counting')
        : t('remove.sum', { ...pluralValues(total.count), size: formatSize(total.bytes) })}
    </p>
  );
}

/** Measures the entries with everything in them; null if that fails. */
function useTotal(entries: readonly FileEntry[]): { count: number; bytes: number } | 'counting' | null {
  const [total, setTotal] = useState<{ count: number; bytes: number } | 'counting' | null>('counting');
  useEffect(() => {
    const controller = new AbortController();
    measureEntries(entries, controller.signal).then(setTotal, () => {
      if (!controller.signal.aborted) setTotal(null);
    });
    return () => controller.abort();
  }, [entries]);
  return total;
}

/** Counts entries and everything in them. Throws `ApiError`; an `AbortError` when `signal` is aborted. */
async function measureEntries(
  entries: readonly FileEntry[],
  signal: AbortSignal,
): Promise<{ count: number; bytes: number }> {
  let count = entries.length;
  let bytes = 0;
  for (const { path, isFolder, isSymlink, size } of entries) {
    if (!isFolder) bytes += size;
    // Of a link only the link is deleted.
    else if (!isSymlink) {
      const tree = await measureFolder(path, { signal, onProgress: () => undefined });
      count += tree.files + tree.folders;
      bytes += tree.bytes;
    }
  }
  return { count, bytes };
}
