import { parentOf } from '@filestead/contract/paths/virtual-path';
import { useRef, useState } from 'react';
import { Link, Navigate, useNavigate } from '../../ui/navigation/router.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { OwnSharesPage } from '../../features/shares/pages/own-shares-page.tsx';
import type { ShareTarget } from '../../features/shares/share-target.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { Search } from '../../ui/icons.ts';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useUndoKeys } from '../history/use-undo-keys.ts';
import { shareHost } from '../shares/share-host.ts';
import { fileAddress } from './file-address.ts';
import { usePageTitle } from './page-title.ts';
import styles from './shared-route.module.css';

/** The page of the user's own shares. Ctrl+K and Ctrl+F focus its search field. */
export function SharedRoute() {
  const { t } = useTranslation('shares');
  const { perm } = useCurrentUser();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useShortcuts(['Mod+K', 'Mod+F'], () => search.current?.focus());
  usePageTitle(t('shared.title'));
  useUndoKeys();
  if (!perm.share) return <Navigate to="/403" replace />;
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
      phone={{ title: t('shared.title') }}
    >
      {isPhone && <div className={styles.phoneSearch}>{searchField}</div>}
      <OwnSharesPage
        query={query}
        addressOf={({ path, isFolder }: ShareTarget) => fileAddress(path, isFolder)}
        onReveal={({ path }) => void navigate(fileAddress(parentOf(path), true))}
        host={shareHost}
        end={perm.admin && <Link to="/settings/shares">{t('shared.everyone')}</Link>}
      />
    </Frame>
  );
}
