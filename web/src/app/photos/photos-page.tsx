import { rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate, useSearchParams } from '../../ui/navigation/router.tsx';
import { actionsAt } from '../../features/files/actions/actions.ts';
import { ActionItems } from '../../features/files/actions/entry-menu.tsx';
import { FolderDetails, FolderView } from '../../features/files/folder/folder-view.tsx';
import type { ScatteredParts } from '../../features/files/folder/scattered-parts.ts';
import { type FolderScreen, useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useFolderStatus } from '../../features/files/folder/use-folder-session.ts';
import type { PhotoGroups } from '../../features/files/listing/photos/photo-layout.ts';
import { DetailsButton, NewMenu } from '../../features/files/header/folder-header.tsx';
import { PhoneSelectionTop } from '../../features/files/header/phone-bars.tsx';
import { SearchBox, type SearchBoxHandle } from '../../features/search/search-box.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { useAddressText } from '../../ui/hooks/use-address-text.ts';
import { EllipsisVertical, Search } from '../../ui/icons.ts';
import { Menu, MenuChoice, MenuSeparator, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { useCover } from '../files/use-cover.ts';
import { type OwnFunctions, useFolderHost } from '../files/use-folder-host.tsx';
import { FramedError } from '../routes/framed-error.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { useNewActions } from '../home/use-new-actions.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { scatteredFunctions } from '../scattered/scattered-functions.ts';
import { PhoneSearchBar } from '../search/phone-search-bar.tsx';
import { openedPhotoOf, photoAddress, photosAddress } from './photos-address.ts';
import styles from './photos-page.module.css';
import { PhotosSession } from './photos-session.ts';

const OpenedFile = lazy(async () => ({ default: (await import('../files/opened-file.tsx')).OpenedFile }));

/** The delay before the typed query is written into the address, with which the photos are searched, in ms. */
const searchDelayMs = 150;

/** Photos are always sorted by date, the newest first. */
const sorting = { by: 'modified', asc: false } as const;

/** The place Photos: all pictures and videos of the user by day, month or place. */
export function PhotosPage() {
  const { pathname } = useLocation();
  const file = openedPhotoOf(pathname);
  return file === undefined ? <FramedError status={404} /> : <Photos file={file} />;
}

function Photos({ file }: { file: VirtualPath | null }) {
  const { t } = useTranslation(['photos', 'files', 'app']);
  const navigate = useNavigate();
  const { key: visit } = useLocation();
  const account = useCurrentUser();
  const [session] = useState(() => new PhotosSession());
  const [grouping, setGrouping] = useState<PhotoGroups>('day');
  const groupings = useGroupings(account.perm.download);
  const { query, text, setText } = useQuery(file);
  useEffect(() => session.search(query), [session, query]);
  const [isPhoneSearchOpen, setPhoneSearchOpen] = useState(text !== '');
  const searchBox = useRef<SearchBoxHandle>(null);
  usePageTitle(t('title'));
  const user = useMemo(() => ({ ...account, viewMode: 'mosaic gallery' as const, sorting }), [account]);
  const ownFunctions = useMemo(
    (): OwnFunctions => ({
      ...scatteredFunctions,
      // Closing the photo navigates back to this page.
      openFile: (path) => void navigate(photoAddress(path, query), { state: { isFromFolder: true } }),
      openSearch: () => {
        // Rendered synchronously, so that the field of phones exists.
        flushSync(() => setPhoneSearchOpen(true));
        searchBox.current?.focus();
      },
    }),
    [navigate, query],
  );
  const { host, prompts } = useFolderHost(user, ownFunctions);
  const creating = useNewActions(host);
  const screen = useFolderScreen(session, host);
  const { context, commands, dropDragged, listing } = screen;
  const status = useFolderStatus(session).kind;
  const { isCovered, uncover, regainFocus, setFailed } = useCover(file !== null, visit, listing);
  const scattered = usePhotoParts(session, grouping, query);
  const submit = () => listing.current?.focus();
  const phoneMenu = (
    <PhotosMenu screen={screen} grouping={grouping} groupings={groupings} onGroupBy={setGrouping} />
  );
  const phoneSearch = (
    <PhoneSearchBar
      ref={searchBox}
      text={text}
      onText={setText}
      back={photosAddress}
      onBack={() => {
        setPhoneSearchOpen(false);
        setText('');
      }}
      onSubmit={() => undefined}
    >
      {phoneMenu}
    </PhoneSearchBar>
  );
  const phoneTop =
    context.count > 0 ? <PhoneSelectionTop screen={screen} /> : isPhoneSearchOpen ? phoneSearch : null;
  return (
    <>
      <Frame
        header={<FrameTitle>{t('title')}</FrameTitle>}
        actions={
          <div className={styles.actions} role="group" aria-label={t('files:actionsLabel')}>
            <SearchBox
              ref={searchBox}
              label={t('search')}
              controlled={{ text, onText: setText }}
              onSubmit={submit}
              onLeave={regainFocus}
            />
            <SegmentedControl
              label={t('period')}
              value={grouping}
              onChange={setGrouping}
              options={groupings}
            />
            <DetailsButton context={context} commands={commands} />
            <NewMenu {...creating} />
          </div>
        }
        phone={{
          title: t('title'),
          ...(phoneTop !== null && { topBar: phoneTop }),
          actions: (
            <>
              <IconButton
                label={t('search')}
                icon={<Search />}
                hasTooltip={false}
                onClick={commands.search}
              />
              {phoneMenu}
            </>
          ),
        }}
        usagePath={rootPath}
        folderDrop={{ can: user.perm, onDrop: dropDragged, onRest: host.openFolder }}
        folderScreen={screen}
        details={status !== 'failed' && <FolderDetails screen={screen} />}
        isCovered={isCovered}
        regainFocus={regainFocus}
      >
        <FolderView
          screen={screen}
          isCovered={file !== null}
          scattered={scattered}
          renderFailure={(error, retry) => (
            <ErrorScreen status={statusOfError(error)} onRetry={retry} headingLevel={2} />
          )}
        />
      </Frame>
      {file !== null && (
        <Suspense fallback={null}>
          <OpenedFile
            path={file}
            screen={screen}
            onUncover={uncover}
            onFailed={setFailed}
            addressOf={(opened) => photoAddress(opened, query)}
          />
        </Suspense>
      )}
      {prompts}
    </>
  );
}

/** Returns the query of the address and the text of the field, which is written into the address after a delay. */
function useQuery(file: VirtualPath | null): {
  query: string;
  text: string;
  setText: (text: string) => void;
} {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const [parameters] = useSearchParams();
  const query = parameters.get('query') ?? '';
  const write = (written: string) => void navigate(photoAddress(file, written), { replace: true, state });
  const [text, setText] = useAddressText(query, write, searchDelayMs);
  return { query, text, setText };
}

/** Returns the ways in which photos can be grouped. Places are in the files, which not all users may read. */
function useGroupings(canDownload: boolean): { value: PhotoGroups; label: string }[] {
  const { t } = useTranslation('photos');
  return [
    { value: 'day', label: t('days') },
    { value: 'month', label: t('months') },
    ...(canDownload ? [{ value: 'place' as const, label: t('places') }] : []),
  ];
}

/** The menu in the top bar of phones, with the ways in which photos can be grouped. */
function PhotosMenu(props: {
  screen: FolderScreen;
  grouping: PhotoGroups;
  groupings: readonly { value: PhotoGroups; label: string }[];
  onGroupBy: (grouping: PhotoGroups) => void;
}) {
  const { t } = useTranslation(['photos', 'files']);
  const { context, commands } = props.screen;
  const isOnEntries = context.count > 0;
  return (
    <MenuTrigger>
      <IconButton label={t('files:moreActions')} icon={<EllipsisVertical />} hasTooltip={false} />
      <Menu placement="bottom end">
        <ActionItems
          actions={actionsAt(isOnEntries ? 'entryMenu' : 'phoneMenu', context)}
          commands={commands}
        />
        {!isOnEntries && (
          <>
            <MenuSeparator />
            <MenuChoice
              label={t('period')}
              hasHeading
              value={props.grouping}
              onChange={props.onGroupBy}
              options={props.groupings}
            />
          </>
        )}
      </Menu>
    </MenuTrigger>
  );
}

/** Returns the parts of the listing that are different for photos of several folders. */
function usePhotoParts(session: PhotosSession, photoGroups: PhotoGroups, query: string): ScatteredParts {
  const { t } = useTranslation(['photos', 'files']);
  const state = useSyncExternalStore(session.subscribe, session.getState);
  return useMemo(
    () => ({
      look: {
        heading: t('title'),
        headers: { kind: t('title') },
        name: ({ name }) => <bdi>{displayName(name)}</bdi>,
        location: () => null,
      },
      sorting,
      photoGroups,
      name: t('title'),
      top: null,
      emptyState: <EmptyPhotos state={state} query={query} />,
      footer: <PhotosFooter session={session} />,
    }),
    [session, photoGroups, query, state, t],
  );
}

function EmptyPhotos({ state, query }: { state: ReturnType<PhotosSession['getState']>; query: string }) {
  const { t } = useTranslation('photos');
  const navigate = useNavigate();
  if (state === 'loading') return <p role="status">{t('loading')}</p>;
  if (query !== '' && state === 'complete') {
    return (
      <div role="status">
        <EmptyState illustration="search" title={t('none', { query })}>
          {t('noneHint')}
        </EmptyState>
      </div>
    );
  }
  const isOff = state === 'off';
  return (
    <EmptyState
      illustration="folder"
      title={t(isOff ? 'off' : 'empty')}
      actions={isOff && <Button onClick={() => void navigate('/files/')}>{t('toFiles')}</Button>}
    >
      {isOff ? t('offHint', { option: '--catalogue on' }) : t('emptyHint')}
    </EmptyState>
  );
}

/** The footer of the photos: their number and size. */
function PhotosFooter({ session }: { session: PhotosSession }) {
  const { t } = useTranslation('photos');
  const { model } = session;
  useSyncExternalStore(model.subscribe, () => `${model.orderVersion} ${model.dataVersion}`);
  const { count } = model;
  return (
    <p className={styles.footer} role="status">
      {count > 0 && <bdi>{`${t('found', pluralValues(count))} · ${formatSize(model.shownBytes)}`}</bdi>}
    </p>
  );
}
