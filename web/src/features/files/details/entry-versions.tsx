import { listVersions, type VersionPage } from '@filestead/contract/endpoints/versions';
import { useEffect, useState } from 'react';
import { call } from '../../../api/call.ts';
import { formatDate, formatSize, pluralValues } from '../../../i18n/format.ts';
import { loadTexts } from '../../../i18n/i18n.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import type { FileEntry } from '../entries/entry.ts';
import styles from './details-panel.module.css';

/** The number of former states that are listed; the dialog has all of them. */
const maxVersions = 3;

/** The present and the latest former states of a file; nothing where it has only the present one. */
export function EntryVersions({ entry, onShowAll }: { entry: FileEntry; onShowAll: () => void }) {
  const { t } = useTranslation(['versions', 'home']);
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
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Returns the versions of a file; null while they are unknown. They are loaded again when the file changes. */
function useVersionPage({ path, modifiedMs, size }: FileEntry): VersionPage | null {
  const [loaded, setLoaded] = useState<{ key: string; page: VersionPage } | null>(null);
  const key = `${modifiedMs} ${size} ${path}`;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async (): Promise<void> => {
      const [page] = await Promise.all([call(listVersions, { path, signal }), loadTexts('versions', 'home')]);
      if (!signal.aborted) setLoaded({ key, page });
    };
    // The details are complete without them: the dialog reports why versions cannot be listed.
    load().catch(() => undefined);
    return () => controller.abort();
  }, [path, key]);
  return loaded?.key === key ? loaded.page : null;
}
