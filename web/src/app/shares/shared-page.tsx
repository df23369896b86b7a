import { parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Share } from '@filestead/contract/shares';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate, useNavigate } from '../../ui/navigation/router.tsx';
import { setDetailsOpen } from '../../features/files/details/details-state.ts';
import { FolderDetails } from '../../features/files/folder/folder-view.tsx';
import { useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { DetailsButton, NewMenu } from '../../features/files/header/folder-header.tsx';
import { PhoneAddButton } from '../../features/files/header/phone-bars.tsx';
import type { FolderTotal } from '../../features/files/listing/model/listing-entries.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { OwnSharesPage } from '../../features/shares/pages/own-shares-page.tsx';
import type { SharedTotal } from '../../features/shares/pages/share-row-parts.tsx';
import { useOwnSharesPage, type OwnSharesState } from '../../features/shares/pages/use-own-shares-page.ts';
import { targetOf, type ShareTarget } from '../../features/shares/share-target.ts';
import { pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { PhoneSelectionTop } from '../../ui/selection/phone-selection-top.tsx';
import { useFolderHost } from '../files/use-folder-host.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { ListSearchField, PhoneListSearch } from '../resources/list-search.tsx';
import { useUndoKeys } from '../history/use-undo-keys.ts';
import { useHomeKeys } from '../home/use-home-keys.ts';
import { useNewActions } from '../home/use-new-actions.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { loadFolderSizes } from '../scattered/folder-sizes.ts';
import { useFunctionsOfPlace } from '../scattered/scattered-functions.ts';
import { shareHost } from './share-host.ts';
import { SharedSession } from './shared-session.ts';
import styles from './shared-page.module.css';

/** The page of the user's own shares, for users who may share. */
export function SharedPage() {
  const { perm } = useCurrentUser();
  return perm.share ? <Shared /> : <Navigate to="/403" replace />;
}

/** The content of the page. Ctrl+K and Ctrl+F focus its search field. */
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
  const { screen, prompts, creating, totalOf, describe, showDetailsOf } = useSharedEntries(state);
  const regainFocus = () => {
    if (!state.focusNext()) document.querySelector('main')?.focus();
  };
  const searchField = (
    <ListSearchField ref={search} label={t('shared.search')} value={query} onChange={setQuery} />
  );
  return (
    <>
      <Frame
        header={<FrameTitle>{t('shared.title')}</FrameTitle>}
        actions={
          <div className={styles.actions}>
            {searchField}
            <DetailsButton context={screen.context} commands={screen.commands} />
            <NewMenu {...creating} />
          </div>
        }
        details={<FolderDetails screen={screen} />}
        usagePath={rootPath}
        onNewFolder={perm.create ? creating.commands.createFolder : undefined}
        onNewFile={perm.create ? creating.commands.createFile : undefined}
        regainFocus={regainFocus}
        phone={{
          title: t('shared.title'),
          add: selected.length === 0 && <PhoneAddButton {...creating} />,
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
        {isPhone && <PhoneListSearch>{searchField}</PhoneListSearch>}
        <OwnSharesPage
          state={state}
          addressOf={({ path, isFolder }: ShareTarget) => fileAddress(path, isFolder)}
          canDownload={perm.download}
          totalOf={totalOf}
          onFocus={describe}
          onDetails={showDetailsOf}
          onReveal={({ path }) => void navigate(fileAddress(parentOf(path), true))}
          end={perm.admin && <Link to="/settings/shares">{t('shared.everyone')}</Link>}
        />
      </Frame>
      {prompts}
    </>
  );
}

const noSizes: ReadonlyMap<string, FolderTotal> = new Map();

/** The shared entries, as far as they exist: their details, the sizes of the folders among them, and New. */
function useSharedEntries({ list, selected, keepFocus }: OwnSharesState) {
  const user = useCurrentUser();
  const { host, prompts } = useFolderHost(user, useFunctionsOfPlace());
  const [session] = useState(() => new SharedSession());
  const screen = useFolderScreen(session, host);
  const creating = useNewActions(host);
  useHomeKeys(screen, creating);
  const [sizes, setSizes] = useState(noSizes);
  const shares = list.kind === 'shown' ? list.shares : null;
  useEffect(() => {
    if (shares === null) return undefined;
    session.show(shares);
    const controller = new AbortController();
    const targets = shares.filter(({ gone }) => gone !== true).map(targetOf);
    const folders = targets.filter(({ isFolder }) => isFolder).map(({ path }) => path);
    void loadFolderSizes(folders, controller.signal, (totals) => {
      session.model.setTotals(totals);
      setSizes(new Map(totals));
    });
    return () => controller.abort();
  }, [session, shares]);
  const selection = selected.map(({ hash }) => hash).join(',');
  useEffect(() => {
    const hashes = new Set(selection.split(','));
    const chosen = (shares ?? []).filter(({ hash }) => hashes.has(hash));
    session.select(chosen.map((share) => targetOf(share).path));
  }, [session, selection, shares]);
  return {
    screen,
    prompts,
    creating,
    totalOf: (path: VirtualPath): SharedTotal | null => sizes.get(path.slice(1)) ?? null,
    /** Lets the details describe the entry of a share, unless some shares are selected. */
    describe: (share: Share): void => {
      if (selected.length === 0) session.select([targetOf(share).path]);
    },
    /** Opens the details of the entry of a share. */
    showDetailsOf: (share: Share): void => {
      // The menu may still have the focus when the dialog opens, which then cannot return it.
      keepFocus(share);
      session.select([targetOf(share).path]);
      setDetailsOpen(true, session.model.selectionVersion);
    },
  };
}
