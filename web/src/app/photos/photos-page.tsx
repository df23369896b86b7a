import {
  encodePath,
  parseEncodedPath,
  rootPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { FolderDetails, FolderView, type ScatteredParts } from '../../features/files/folder/folder-view.tsx';
import { useFolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useFolderStatus } from '../../features/files/folder/use-folder-session.ts';
import { PhoneMenu, PhoneSelectionTop } from '../../features/files/header/phone-bars.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatSize, pluralValues } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { Images, PanelRight } from '../../ui/icons.ts';
import { useCover } from '../files/use-cover.ts';
import { type OwnFunctions, useFolderHost } from '../files/use-folder-host.tsx';
import { FramedError } from '../frame/framed-error.tsx';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { folderCommandsByName } from '../palette/folder-palette.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { scatteredFunctions } from '../scattered/scattered-functions.ts';
import styles from './photos-page.module.css';
import { PhotosSession } from './photos-session.ts';

const OpenedFile = lazy(async () => ({ default: (await import('../files/opened-file.tsx')).OpenedFile }));

/** The address of the place, and of a photo that is opened in it. */
const prefix = '/photos';
const photoAddress = (file: VirtualPath | null): string =>
  `${prefix}${file === null ? '' : encodePath(file)}`;

/** Returns the photo that an address names; null for the place itself, undefined when it names none. */
function openedPhotoOf(pathname: string): VirtualPath | null | undefined {
  try {
    const { path, isFolderPath } = parseEncodedPath(pathname.slice(prefix.length));
    if (path === '/') return null;
    return isFolderPath ? undefined : path;
  } catch {
    return undefined;
  }
}

/** Photos are always sorted by date, the newest first. */
const sorting = { by: 'modified', asc: false } as const;

/** The place Photos: all pictures and videos of the user by day or month. */
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
  const [period, setPeriod] = useState<'day' | 'month'>('day');
  usePageTitle(t('title'));
  const user = useMemo(() => ({ ...account, viewMode: 'mosaic gallery' as const, sorting }), [account]);
  const ownFunctions = useMemo(
    (): OwnFunctions => ({
      ...scatteredFunctions,
      // Closing the photo navigates back to this page.
      openFile: (path) => void navigate(photoAddress(path), { state: { isFromFolder: true } }),
      openSearch: () => void navigate('/search'),
    }),
    [navigate],
  );
  const { host, prompts } = useFolderHost(user, ownFunctions);
  const screen = useFolderScreen(session, host);
  const { context, commands, dropDragged } = screen;
  const status = useFolderStatus(session).kind;
  const { isCovered, uncover, regainFocus } = useCover(file !== null, visit, screen.listing);
  const scattered = usePhotoParts(session, period);
  return (
    <>
      <Frame
        header={<h1 className={styles.title}>{t('title')}</h1>}
        actions={
          <div className={styles.actions} role="group" aria-label={t('files:actionsLabel')}>
            <SegmentedControl
              label={t('period')}
              value={period}
              onChange={setPeriod}
              options={[
                { value: 'day', label: t('days') },
                { value: 'month', label: t('months') },
              ]}
            />
            <IconButton
              label={t('files:actions.toggleDetails')}
              shortcut="Mod+I"
              icon={<PanelRight />}
              isPressed={context.areDetailsOpen}
              onClick={commands.toggleDetails}
            />
          </div>
        }
        phone={{
          title: t('title'),
          ...(context.count > 0 && { topBar: <PhoneSelectionTop screen={screen} /> }),
          actions: <PhoneMenu screen={screen} />,
        }}
        usagePath={rootPath}
        folderDrop={{ can: user.perm, onDrop: dropDragged, onRest: host.openFolder }}
        commands={() => folderCommandsByName(screen)}
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
          <OpenedFile path={file} screen={screen} onUncover={uncover} addressOf={photoAddress} />
        </Suspense>
      )}
      {prompts}
    </>
  );
}

/** Returns the parts of the listing that are different for photos of several folders. */
function usePhotoParts(session: PhotosSession, period: 'day' | 'month'): ScatteredParts {
  const { t } = useTranslation(['photos', 'files']);
  const state = useSyncExternalStore(session.subscribe, session.getState);
  return useMemo(
    () => ({
      look: {
        heading: t('title'),
        locationHead: t('title'),
        name: ({ name }) => <bdi>{displayName(name)}</bdi>,
        location: () => null,
      },
      sorting,
      photoPeriod: period,
      name: t('title'),
      top: null,
      emptyState: <EmptyPhotos state={state} />,
      foot: <PhotosFoot session={session} />,
    }),
    [session, period, state, t],
  );
}

function EmptyPhotos({ state }: { state: ReturnType<PhotosSession['getState']> }) {
  const { t } = useTranslation('photos');
  const navigate = useNavigate();
  if (state === 'loading') return <p role="status">{t('loading')}</p>;
  const isOff = state === 'off';
  return (
    <EmptyState
      icon={<Images />}
      title={t(isOff ? 'off' : 'empty')}
      actions={isOff && <Button onClick={() => void navigate('/files/')}>{t('toFiles')}</Button>}
    >
      {t(isOff ? 'offHint' : 'emptyHint')}
    </EmptyState>
  );
}

/** The foot of the photos: their number and size. */
function PhotosFoot({ session }: { session: PhotosSession }) {
  const { t } = useTranslation('photos');
  const { model } = session;
  useSyncExternalStore(model.subscribe, () => `${model.orderVersion} ${model.dataVersion}`);
  const { count } = model;
  return (
    <p className={styles.foot} role="status">
      {count > 0 && <bdi>{`${t('found', pluralValues(count))} · ${formatSize(model.shownBytes)}`}</bdi>}
    </p>
  );
}
