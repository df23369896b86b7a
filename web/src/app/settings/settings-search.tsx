import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useKeyWithin } from '../../ui/hooks/use-key-within.ts';
import { Search } from '../../ui/icons.ts';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { useSettingsPages } from '../routes/settings-pages.tsx';
import { canChangePassword } from './can-change-password.ts';
import { findSettings } from './find-settings.ts';
import {
  settingEntries,
  settingsNamespaces,
  type SettingEntry,
  type SettingPlace,
} from './settings-entries.ts';
import styles from './settings-search.module.css';

/** The state of the history entry of a result. */
export interface SettingState {
  readonly setting?: SettingPlace;
}

interface SettingsSearchProps {
  hasAutoFocus?: boolean;
  /** The list of pages, while nothing is searched for. */
  children: ReactNode;
}

/** The field above the list of pages, which finds settings by their labels and help texts. */
export function SettingsSearch({ hasAutoFocus = false, children }: SettingsSearchProps) {
  const { t } = useTranslation(settingsNamespaces);
  const { lockPassword } = useCurrentUser();
  const pages = useSettingsPages();
  const [query, setQuery] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useShortcuts(['Mod+K'], () => {
    field.current?.focus();
    field.current?.select();
  });
  const found = useMemo(() => {
    if (query.trim() === '') return [];
    const entries = settingEntries(
      t,
      pages.map(({ id }) => id),
      canChangePassword({ lockPassword }),
    );
    return findSettings(entries, query, ({ page }) => t(`settings:nav.${page}`));
  }, [t, pages, query, lockPassword]);
  useKeyWithin(area, true, (event) => {
    const links = [...(area.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(event.target as HTMLAnchorElement);
    if (event.isComposing || query === '') return;
    if (event.key === 'ArrowDown') links[at + 1]?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? field.current)?.focus();
    else if (event.key === 'Enter' && at === -1) links[0]?.click();
    else if (event.key === 'Escape') {
      setQuery('');
      field.current?.focus();
    } else return;
    event.preventDefault();
  });
  const isSearching = query.trim() !== '';
  return (
    <>
      <div ref={area} role="search" className={styles.search}>
        <TextField
          ref={field}
          type="search"
          label={t('settings:search.label')}
          isLabelHidden
          placeholder={t('settings:search.label')}
          icon={<Search />}
          autoComplete="off"
          spellCheck={false}
          autoFocus={hasAutoFocus}
          value={query}
          onChange={setQuery}
        />
        <p role="status" className={isSearching && found.length === 0 ? styles.none : 'visually-hidden'}>
          {isSearching &&
            (found.length === 0
              ? t('settings:search.none')
              : t('settings:search.found', pluralValues(found.length)))}
        </p>
        {isSearching && (
          <ul>
            {found.map((entry) => (
              <li key={`${entry.page} ${entry.section ?? ''} ${entry.label ?? ''}`}>
                <Result
                  entry={entry}
                  pageName={t(`settings:nav.${entry.page}`)}
                  onOpen={() => setQuery('')}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {!isSearching && children}
    </>
  );
}

function Result({
  entry: { page, section, label },
  pageName,
  onOpen,
}: {
  entry: SettingEntry;
  pageName: string;
  onOpen: () => void;
}) {
  const state: SettingState =
    section === undefined ? {} : { setting: { section, ...(label !== undefined && { label }) } };
  const where = [pageName, ...(label === undefined ? [] : [section])];
  return (
    <Link to={`/settings/${page}`} state={state} className={styles.result} onClick={onOpen}>
      <span>{label ?? section ?? pageName}</span>
      {section !== undefined && <span className={styles.where}>{where.join(' › ')}</span>}
    </Link>
  );
}
