import { listVersions, type Version, type VersionPage } from '@filestead/contract/endpoints/versions';
import { useCallback } from 'react';
import { call } from '../../../api/call.ts';
import { formatDate, formatSize, pluralValues } from '../../../i18n/format.ts';
import { loadTexts } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { useReady } from '../../../ui/hooks/use-loaded.ts';
import type { FileEntry } from '../entries/entry.ts';
import styles from './details-panel.module.css';

/** The number of former states that are listed; the dialog has all of them. */
const maxVersions = 3;

/** The present and the latest former states of a file; nothing where it has only the present one. */
export function EntryVersions({
  entry,
  onShowAll,
  onRestore,
}: {
  entry: FileEntry;
  onShowAll: () => void;
  /** Replaces the file with a version; undefined if the user may not. */
  onRestore: ((version: Version) => void) | undefined;
}) {
  const { t } = useTranslation(['versions', 'home', 'files']);
  const page = useVersionPage(entry);
  if (page === null || page.versions.length === 0) return null;
  const states = [
    { version: null, written: page.written, atMs: entry.modifiedMs, size: entry.size },
    ...page.versions.slice(0, maxVersions).map((version) => {
      const { written, modified, size } = version;
      return { version, written, atMs: Date.parse(modified), size };
    }),
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
        {states.map(({ version, written, atMs, size }) => {
          const writtenMs = written === null ? atMs : Date.parse(written.at);
          const by = written?.by ?? null;
          return (
            <li key={version?.id ?? ''}>
              <span className={styles.lines}>
                <span className={styles.line}>{version === null ? t('now') : formatDate(writtenMs)}</span>
                <span className={styles.exact}>
                  {[
                    ...(version === null ? [formatDate(writtenMs)] : []),
                    ...(by === null ? [] : [isolateBidi(by)]),
                    formatSize(size),
                  ].join(' · ')}
                </span>
              </span>
              {version !== null && onRestore && (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`${t('actions.restore')}: ${formatDate(writtenMs)}`}
                  onClick={() => onRestore(version)}
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
