import { useState } from 'react';
import { forgetSearch, recentSearches } from '../../features/search/recent-searches.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { History, X } from '../../ui/icons.ts';
import { isFiltered, type Search } from './search-address.ts';
import styles from './search-page.module.css';
import { useNoResultsTitle, WiderSearch } from './wider-search.tsx';

interface EmptyResultsProps {
  search: Search;
  /** Whether the user may search the text of documents. */
  hasContents: boolean;
  userId: number;
  isSearching: boolean;
  /** Whether there is anything to search for. */
  hasRequest: boolean;
  onChange: (search: Search) => void;
  onQuery: (query: string) => void;
}

/** The place of the results while there are none: recent searches, the running search, or that nothing matches. */
export function EmptyResults(props: EmptyResultsProps) {
  const { search, hasContents, isSearching, hasRequest, onChange } = props;
  const { t } = useTranslation('search');
  const isWaiting = useDelayedFlag(isSearching);
  const title = useNoResultsTitle(search);
  if (!hasRequest) return <RecentSearches {...props} />;
  if (isSearching) return isWaiting ? <p role="status">{t('searching')}</p> : null;
  return (
    <div role="status">
      <EmptyState
        illustration="search"
        title={search.query.trim() === '' ? t('noneFiltered') : title}
        actions={(search.isHere || isFiltered(search)) && <WiderSearch search={search} onChange={onChange} />}
      >
        {t(hasContents && search.part !== 'names' ? 'noneHintContents' : 'noneHint')}
      </EmptyState>
    </div>
  );
}

function RecentSearches({ userId, onQuery }: EmptyResultsProps) {
  const { t } = useTranslation('search');
  const [recent, setRecent] = useState(() => recentSearches(userId));
  if (recent.length === 0) {
    return (
      <EmptyState illustration="search" title={t('field')}>
        {t('syntaxHint')}
      </EmptyState>
    );
  }
  return (
    <section className={styles.recent}>
      <h2>{t('recent')}</h2>
      <ul>
        {recent.map((query) => (
          <li key={query}>
            <button type="button" onClick={() => onQuery(query)}>
              <History aria-hidden="true" />
              <bdi>{query}</bdi>
            </button>
            <IconButton
              label={t('forgetOne', { query })}
              icon={<X />}
              hasTooltip={false}
              onClick={() => {
                forgetSearch(userId, query);
                setRecent(recentSearches(userId));
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
