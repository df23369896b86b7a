import { parentOf, rootPath } from '@filestead/contract/paths/virtual-path';
import { useRef, useState } from 'react';
import { Link, Navigate, useNavigate } from '../../ui/navigation/router.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { OwnSharesPage } from '../../features/shares/pages/own-shares-page.tsx';
import { useOwnSharesPage } from '../../features/shares/pages/use-own-shares-page.ts';
import type { ShareTarget } from '../../features/shares/share-target.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Search } from '../../ui/icons.ts';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { PhoneSelectionTop } from '../../ui/selection/phone-selection-top.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useUndoKeys } from '../history/use-undo-keys.ts';
import { shareHost } from '../shares/share-host.ts';
import { fileAddress } from './file-address.ts';
import { usePageTitle } from './page-title.ts';
import styles from './shared-route.module.css';

/** The page of the user's own shares, for users who may share. */
export function SharedRoute() {
  const { perm } = useCurrentUser();
  return perm.share ? <Shared /> : <Navigate to="/403" replace />;
}

/** The page of the user's own shares. Ctrl+K and Ctrl+F focus its search field. */
function Shared() {
  const { t } = useTranslation('shares');
  const { perm } = useCurrentUser();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useShortcuts(['Mod+K', 'Mod+F'], () => search.current?.focus());
  usePageTitle(t('shared.title'));
  useUndoKeys();
  const state = useOwnSharesPage(query, shareHost);
  const { selected, clear, selectAll } = state;
  const regainFocus = () => {
    if (!state.focusNext()) document.querySelector('main')?.focus();
  };
  const searchField = (
    <TextField
      ref={search}
      className={styles.search}
      label={t('shared.search')}
      isLabelHidden
      type="search"
      icon={<Search />}
      placeholder={t('shared.search')}
      autoComplete="off"
      spellCheck={false}
      value={query}
      onChange={setQuery}
    />
  );
  return (
    <Frame
      header={<FrameTitle>{t('shared.title')}</FrameTitle>}
      actions={searchField}
      usagePath={rootPath}
      regainFocus={regainFocus}
      phone={{
        title: t('shared.title'),
        ...(selected.length > 0 && {
          topBar: (
            <PhoneSelectionTop
              title={t('public.selected', pluralValues(selected.length))}
              clearLabel={t('shared.clear')}
              onClear={clear}
              selectAllLabel={t('shared.selectAll')}
              onSelectAll={selectAll}
            />
          ),
        }),
      }}
    >
      {isPhone && <div className={styles.phoneSearch}>{searchField}</div>}
      <OwnSharesPage
        state={state}
        addressOf={({ path, isFolder }: ShareTarget) => fileAddress(path, isFolder)}
        canDownload={perm.download}
        onReveal={({ path }) => void navigate(fileAddress(parentOf(path), true))}
        end={perm.admin && <Link to="/settings/shares">{t('shared.everyone')}</Link>}
      />
    </Frame>
  );
}
