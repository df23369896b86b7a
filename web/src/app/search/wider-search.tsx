import { nameOf } from '@filestead/contract/paths/virtual-path';
import { displayName } from '../../i18n/display-name.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { isFiltered, withoutFilters, type Search } from './search-address.ts';

interface WiderSearchProps {
  search: Search;
  onChange: (search: Search) => void;
}

/** Buttons that widen a search without results: to all folders, and without filters. */
export function WiderSearch({ search, onChange }: WiderSearchProps) {
  const { t } = useTranslation('search');
  return (
    <>
      {search.isHere && (
        <Button onClick={() => onChange({ ...search, isHere: false })}>{t('everywhere')}</Button>
      )}
      {isFiltered(search) && (
        <Button onClick={() => onChange(withoutFilters(search))}>{t('removeFilters')}</Button>
      )}
    </>
  );
}

/** Returns the title of a page without results. */
export function useNoResultsTitle({ query, isHere, from }: Search): string {
  const { t } = useTranslation('search');
  const text = query.trim();
  return isHere
    ? t('none', { query: text, folder: displayName(nameOf(from)) })
    : t('noneEverywhere', { query: text });
}
