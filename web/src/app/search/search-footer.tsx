import { useSyncExternalStore } from 'react';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { ListFooter } from '../../ui/list-footer.tsx';
import type { ResultsState } from './results-session.ts';
import styles from './search-page.module.css';

/** The footer of the results: their number and size, and the syntax of queries. */
export function SearchFooter({ screen, results }: { screen: FolderScreen; results: ResultsState }) {
  const { t } = useTranslation(['search', 'files']);
  const { model } = screen.session;
  useSyncExternalStore(model.subscribe, () => `${model.orderVersion} ${model.dataVersion}`);
  const { count } = model;
  const bytes = model.shownBytes;
  const counted = t(results.hasMore ? 'foundFirst' : 'found', pluralValues(count));
  return (
    <ListFooter>
      <p className={styles.summary} role="status" aria-live={results.isSearching ? 'off' : 'polite'}>
        {count > 0 && <bdi>{bytes > 0 ? `${counted} · ${formatSize(bytes)}` : counted}</bdi>}
        {count > 0 && (
          <button type="button" className={styles.selectAll} onClick={screen.commands.selectAll}>
            {t('files:actions.selectAll')}
          </button>
        )}
      </p>
      <p className={styles.syntax}>{t('syntax')}</p>
    </ListFooter>
  );
}
