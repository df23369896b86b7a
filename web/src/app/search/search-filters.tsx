import { nameOf } from '@filestead/contract/paths/virtual-path';
import { findSorts, type FindSort } from '@filestead/contract/values/find-sorts';
import type { ReactNode } from 'react';
import { useMarks } from '../../features/marks/marks-store.ts';
import { isWalking } from '../../features/search/find-entries.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { useDelayedFlag } from '../../ui/hooks/use-delayed-flag.ts';
import { ChevronDown, Settings2 } from '../../ui/icons.ts';
import { Menu, MenuChoice, MenuSeparator, MenuTrigger } from '../../ui/overlays/menu.tsx';
import {
  contentKinds,
  dateOperators,
  kindOperators,
  searchParts,
  sizeOperators,
  type DateFilter,
  type KindFilter,
  type Search,
  type SearchPart,
  type SizeFilter,
} from './search-address.ts';
import styles from './search-page.module.css';

interface SearchFiltersProps {
  search: Search;
  /** Whether the user may search the text of documents. */
  hasContents: boolean;
  onChange: (search: Search) => void;
  isSearching: boolean;
}

/** Restrictions and order of the results, and whether the search is still running. */
export function SearchFilters({ search, hasContents, onChange, isSearching }: SearchFiltersProps) {
  const { t } = useTranslation('search');
  const isStatusShown = useDelayedFlag(isSearching);
  const walksFolders = isWalking();
  const kinds = hasContents && search.part === 'contents' ? contentKinds : keysOf(kindOperators);
  return (
    <div className={styles.filters}>
      <div className={styles.chips} role="group" aria-label={t('filters')}>
        {search.from !== '/' && (
          <SegmentedControl
            label={t('place.label')}
            value={search.isHere ? 'here' : 'everywhere'}
            onChange={(place) => onChange({ ...search, isHere: place === 'here' })}
            options={[
              {
                value: 'here',
                label: t('place.here', { folder: isolateBidi(nameOf(search.from)) }),
              },
              { value: 'everywhere', label: t('place.everywhere') },
            ]}
          />
        )}
        {hasContents && (
          <SegmentedControl
            label={t('part.label')}
            value={search.part}
            onChange={(part) => onChange(searchIn(part, search))}
            options={searchParts.map((value) => ({ value, label: t(`part.${value}`) }))}
          />
        )}
        <Filter<KindFilter>
          any={t('kind.any')}
          value={search.kind}
          onChange={(kind) => onChange({ ...search, kind })}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        {!walksFolders && (
          <>
            <Filter<DateFilter>
              any={t('date.any')}
              value={search.date}
              onChange={(date) => onChange({ ...search, date })}
              options={keysOf(dateOperators).map((value) => ({ value, label: t(`date.${value}`) }))}
            />
            <Filter<SizeFilter>
              any={t('size.any')}
              value={search.size}
              onChange={(size) => onChange({ ...search, size })}
              options={keysOf(sizeOperators).map((value) => ({ value, label: t(`size.${value}`) }))}
            />
          </>
        )}
        {!walksFolders && <MarkFilter search={search} onChange={onChange} />}
        {isStatusShown && (
          <span className={styles.reading} role="status">
            {t('reading')}
          </span>
        )}
      </div>
      {!walksFolders && !(hasContents && search.part === 'contents') && (
        <SortMenu search={search} onChange={onChange} />
      )}
    </div>
  );
}

/** Returns a search of other parts, without a kind that has no text. */
function searchIn(part: SearchPart, search: Search): Search {
  const { kind } = search;
  const hasText = kind === null || contentKinds.includes(kind);
  return { ...search, part, kind: part === 'contents' && !hasText ? null : kind };
}

/** Restricts the results to favorites, or to a tag. Not shown while the user has neither. */
function MarkFilter({ search, onChange }: Pick<SearchFiltersProps, 'search' | 'onChange'>) {
  const { t } = useTranslation('search');
  const tags = useMarks((state) => state.tags);
  const hasFavorites = useMarks(({ favorites }) => (favorites?.length ?? 0) > 0);
  const { tag, isFavorite } = search;
  if (tags.length === 0 && !hasFavorites && tag === null && !isFavorite) return null;
  // The empty value means no restriction, and no tag is a space.
  const favorites = ' ';
  const listed = tag === null || tags.includes(tag) ? tags : [...tags, tag];
  return (
    <Filter<string>
      any={t('mark.any')}
      value={isFavorite ? favorites : tag}
      onChange={(value) =>
        onChange({ ...search, isFavorite: value === favorites, tag: value === favorites ? null : value })
      }
      options={[
        { value: favorites, label: t('mark.favorites') },
        ...listed.map((value) => ({ value, label: t('mark.tag', { tag: isolateBidi(value) }) })),
      ]}
    />
  );
}

const keysOf = <Key extends string>(table: Readonly<Record<Key, string>>): Key[] =>
  Object.keys(table) as Key[];

interface FilterProps<Value extends string> {
  /** The label without a restriction. */
  any: string;
  value: Value | null;
  onChange: (value: Value | null) => void;
  options: readonly { value: Value; label: string }[];
}

/** A restriction as a button with a menu. */
function Filter<Value extends string>({ any, value, onChange, options }: FilterProps<Value>): ReactNode {
  const label = options.find((option) => option.value === value)?.label ?? any;
  return (
    <MenuTrigger>
      <Button
        size="small"
        className={value === null ? styles.chip : `${styles.chip} ${styles.chosen}`}
        endIcon={<ChevronDown />}
      >
        {label}
      </Button>
      <Menu>
        <MenuChoice<Value | ''>
          label={any}
          value={value ?? ''}
          onChange={(next) => onChange(next === '' ? null : next)}
          options={[{ value: '', label: any }, ...options]}
        />
      </Menu>
    </MenuTrigger>
  );
}

function SortMenu({ search, onChange }: Pick<SearchFiltersProps, 'search' | 'onChange'>) {
  const { t } = useTranslation(['search', 'listing', 'files']);
  const { sort, isReversed } = search;
  const labelOf = (value: FindSort): string =>
    value === 'rank' ? t('bestMatch') : t(`listing:columns.${value}.sort`);
  return (
    <MenuTrigger>
      <Button size="small" variant="quiet" className={styles.sort} icon={<Settings2 />}>
        {labelOf(sort)}
      </Button>
      <Menu placement="bottom end">
        <MenuChoice
          label={t('files:sortBy')}
          hasHeading
          value={sort}
          onChange={(next) => onChange({ ...search, sort: next, isReversed: false })}
          options={findSorts.map((value) => ({ value, label: labelOf(value) }))}
        />
        {sort !== 'rank' && (
          <>
            <MenuSeparator />
            <MenuChoice
              label={t('files:sortDirection')}
              value={String(isReversed)}
              onChange={(next) => onChange({ ...search, isReversed: next === 'true' })}
              options={[
                { value: 'false', label: t(`listing:columns.${sort}.usual`) },
                { value: 'true', label: t(`listing:columns.${sort}.other`) },
              ]}
            />
          </>
        )}
      </Menu>
    </MenuTrigger>
  );
}
