import { listVersions, type VersionPage } from '@filestead/contract/endpoints/versions';
import { parentOf } from '@filestead/contract/paths/virtual-path';
import { useCallback } from 'react';
import { call } from '../../../api/call.ts';
import { replaceWithVersion } from '../../../api/replace-with-version.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { formatDate, formatSize, pluralValues } from '../../../i18n/format.ts';
import { i18n, loadTexts } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { useReady } from '../../../ui/hooks/use-loaded.ts';
import { announceChange } from '../entries/changes.ts';
import type { FileEntry } from '../entries/entry.ts';
import { toastFailure } from '../feedback/toasts.ts';
import { toastWithUndo } from '../feedback/undo.ts';
import styles from './details-panel.module.css';

/** The number of former states that are listed; the dialog has all of them. */
const maxVersions = 3;

/** The present and the latest former states of a file; nothing where it has only the present one. */
export function EntryVersions({
  entry,
  onShowAll,
  canRestore,
}: {
  entry: FileEntry;
  onShowAll: () => void;
  /** Whether the user may replace the file with a version. */
  canRestore: boolean;
}) {
  const { t } = useTranslation(['versions', 'home', 'files']);
  const page = useVersionPage(entry);
  if (page === null || page.versions.length === 0) return null;
  const states = [
    { id: '', written: page.written, atMs: entry.modifiedMs, size: entry.size },
    ...page.versions
      .slice(0, maxVersions)
      .map(({ id, written, modified, size }) => ({ id, written, atMs: Date.parse(modified), size })),
  ];
  return (
    <section className={styles.part} aria-label={t('listLabel')}>
      <div className={styles.partHead}>
        <h3>{t('listLabel')}</h3>
        <Button variant="quiet" size="small" onClick={onShowAll}>
          {t('home:all', pluralValues(page.total + 1))}
        </Button>
      </div>
      <ol className={styles.states}>
        {states.map(({ id, written, atMs, size }) => {
          const writtenMs = written === null ? atMs : Date.parse(written.at);
          const by = written?.by ?? null;
          return (
            <li key={id}>
              <span className={styles.lines}>
                <span className={styles.line}>{id === '' ? t('now') : formatDate(writtenMs)}</span>
                <span className={styles.exact}>
                  {[
                    ...(id === '' ? [formatDate(writtenMs)] : []),
                    ...(by === null ? [] : [isolateBidi(by)]),
                    formatSize(size),
                  ].join(' · ')}
                </span>
              </span>
              {id !== '' && canRestore && (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`${t('actions.restore')}: ${formatDate(writtenMs)}`}
                  onClick={() => void restore(entry, id, formatDate(writtenMs))}
                >
                  {t('files:transfer.restoreButton')}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Replaces a file with a version, and notifies with an undo button. */
async function restore({ name, path }: FileEntry, id: string, time: string): Promise<void> {
  const announce = () => announceChange({ folders: [parentOf(path)] });
  try {
    const undo = await replaceWithVersion(id);
    announce();
    const values = { ns: 'versions', name: isolateBidi(displayName(name)), time } as const;
    toastWithUndo(i18n.t('done.restored', values), async () => {
      await undo();
      announce();
    });
  } catch (error) {
    toastFailure(i18n.t('failed.restore', { ns: 'versions' }), error);
  }
}

/** Returns the versions of a file; null while they are unknown. They are loaded again when the file changes. */
function useVersionPage({ path, modifiedMs, size }: FileEntry): VersionPage | null {
  const load = useCallback(
    async (signal: AbortSignal): Promise<VersionPage> => {
      const [page] = await Promise.all([call(listVersions, { path, signal }), loadTexts('versions', 'home')]);
      return page;
    },
    // A changed file is read again.
    // oxlint-disable-next-line react/exhaustive-deps
    [path, modifiedMs, size],
  );
  return useReady(load);
}
