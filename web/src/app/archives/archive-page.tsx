import { getArchivePreview } from '@filestead/contract/archives';
import { childOf, nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useRef, useSyncExternalStore, type RefObject } from 'react';
import { useLocation, useNavigate } from '../../ui/navigation/router.tsx';
import { ApiError, urlOf } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { rawUrl } from '../../api/urls.ts';
import { extractArchives } from '../../features/files/archives/archive-jobs.ts';
import { followDownload } from '../../ui/follow-download.ts';
import { reasonForCode } from '../../features/files/feedback/failure.ts';
import { ancestorsOf } from '../../features/files/header/ancestors.ts';
import type { ListingHandle } from '../../features/files/listing/listing-options.ts';
import type { ListingItem } from '../../features/files/listing/model/listing-entries.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { displayName } from '../../i18n/display-name.ts';
import { formatNumber, formatSize } from '../../i18n/format.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ArchiveRestore, Download } from '../../ui/icons.ts';
import { focusCover } from '../files/use-cover.ts';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FramedError } from '../routes/framed-error.tsx';
import {
  ActionButtons,
  ActionMenu,
  paletteCommandsOf,
  type ResourceAction,
} from '../resources/resource-actions.tsx';
import { ResourceCrumbs, type Crumb } from '../resources/resource-crumbs.tsx';
import { ResourceListing } from '../resources/resource-listing.tsx';
import { openedFromFolder, useFolderPreview } from '../resources/use-folder-preview.ts';
import { useUpKeys } from '../resources/use-up-keys.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { archiveAddress, archivePlaceOf, type ArchivePlace } from '../routes/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { ArchiveFolder } from './archive-folder.ts';
import styles from './archive-page.module.css';
import { ArchivePreviewer, downloadInside } from './archive-previewer.tsx';

/** The page of a folder inside an archive, whose files can be viewed and downloaded, and which can be extracted. */
export function ArchivePage() {
  const { pathname, search } = useLocation();
  const place = archivePlaceOf(pathname, search);
  if (place === null) return <FramedError status={404} />;
  return <Archive place={place} />;
}

/** Returns the loaded folder, a new one for each path. */
function useArchiveFolder(archive: VirtualPath, path: VirtualPath): ArchiveFolder {
  const folder = useMemo(() => new ArchiveFolder(archive, path), [archive, path]);
  useEffect(() => {
    // These texts contain the reasons of failures.
    void loadTexts('jobs').finally(() => folder.load());
    return () => folder.stop();
  }, [folder]);
  return folder;
}

function Archive({ place }: { place: ArchivePlace }) {
  const { t } = useTranslation(['previews', 'files']);
  const navigate = useNavigate();
  const { perm } = useCurrentUser();
  const { archive } = place;
  const path = place.isFolder ? place.inside : parentOf(place.inside);
  const file = place.isFolder ? null : place.inside;
  const folder = useArchiveFolder(archive, path);
  const state = useSyncExternalStore(folder.subscribe, folder.getSnapshot);
  const listing = useRef<ListingHandle>(null);
  const archiveName = nameOf(archive);
  const name = nameOf(path) || archiveName;
  usePageTitle(name);
  const parentAddress =
    path === '/' ? fileAddress(parentOf(archive), true) : archiveAddress(archive, parentOf(path));
  const goUp = () => void navigate(parentAddress, path === '/' ? { state: { reveal: archiveName } } : {});
  useUpKeys(goUp, file === null);
  const extract = async () => {
    const extracted = await extractArchives(parentOf(archive), [{ name: archiveName, path: archive }]);
    if (extracted)
      void navigate(fileAddress(parentOf(extracted), true), { state: { reveal: nameOf(extracted) } });
  };
  const download = () => followDownload(rawUrl(archive), archiveName);
  const actions: ResourceAction[] = [
    { id: 'download', label: t('files:actions.download'), icon: Download, run: download },
  ];
  if (perm.create) {
    const label = t('files:actions.extract');
    actions.push({ id: 'extract', label, icon: ArchiveRestore, isPrimary: true, run: () => void extract() });
  }
  return (
    <>
      <Frame
        header={<ResourceCrumbs crumbs={crumbsOf(archive, path, t('files:root'))} />}
        actions={<ActionButtons actions={actions} />}
        phone={{
          title: name,
          back: {
            name: path === '/' ? nameOf(parentOf(archive)) : nameOf(parentOf(path)) || archiveName,
            to: parentAddress,
          },
          actions: <ActionMenu label={t('files:moreActions')} actions={actions} />,
        }}
        folder={parentOf(archive)}
        usagePath={parentOf(archive)}
        commands={() => paletteCommandsOf(actions, archiveName)}
        isCovered={file !== null}
        regainFocus={() => {
          if (!focusCover()) listing.current?.focus();
        }}
      >
        {state.kind === 'failed' ? (
          <Failure error={state.error} onRetry={() => void folder.load()} onDownload={download} />
        ) : (
          <>
            <ArchiveListing folder={folder} name={name} handleRef={listing} />
            {state.kind === 'shown' && state.shown.count > 0 && (
              <p className={styles.footer} role="status">
                {t('archive.footer', {
                  count: state.shown.count,
                  number: formatNumber(state.shown.count),
                  size: formatSize(state.shown.bytes),
                })}
              </p>
            )}
          </>
        )}
      </Frame>
      {file !== null && <PreviewedFile folder={folder} path={file} listing={listing} />}
    </>
  );
}

/** Explains why an archive cannot be shown; errors of the whole request are those of any folder. */
function Failure(props: { error: unknown; onRetry: () => void; onDownload: () => void }) {
  const { t } = useTranslation(['previews', 'files']);
  const { error, onRetry, onDownload } = props;
  const code = error instanceof ApiError ? error.code : '';
  if (!/^(?:archive_|unsupported_archive_format)/u.test(code))
    return <ErrorScreen status={statusOfError(error)} onRetry={onRetry} headingLevel={2} />;
  return (
    <EmptyState
      illustration="folder"
      title={t('archive.unreadable')}
      actions={
        <Button icon={<Download />} onClick={onDownload}>
          {t('files:actions.download')}
        </Button>
      }
    >
      {reasonForCode(code)}
    </EmptyState>
  );
}

/** Returns the folders that lead to the archive, and those inside it. */
function crumbsOf(archive: VirtualPath, path: VirtualPath, rootName: string): Crumb[] {
  return [
    ...ancestorsOf(parentOf(archive)).map((ancestor) => ({
      address: fileAddress(ancestor, true),
      name: displayName(nameOf(ancestor)) || rootName,
    })),
    ...ancestorsOf(path).map((ancestor) => ({
      address: archiveAddress(archive, ancestor),
      name: displayName(nameOf(ancestor)) || displayName(nameOf(archive)),
    })),
  ];
}

interface ArchiveListingProps {
  folder: ArchiveFolder;
  name: string;
  handleRef: RefObject<ListingHandle | null>;
}

/** The entries of a folder inside an archive. */
function ArchiveListing({ folder, name, handleRef }: ArchiveListingProps) {
  const navigate = useNavigate();
  const { archive, path } = folder;
  const addressOf = (item: ListingItem): string =>
    archiveAddress(archive, childOf(path, item.name), item.isFolder);
  return (
    <ResourceListing
      folder={folder}
      name={name}
      addressOf={(item) => `${pageConfig.BaseURL}${addressOf(item)}`}
      thumbnailUrl={
        pageConfig.EnableThumbs
          ? (entryName, modifiedMs) =>
              urlOf(getArchivePreview, {
                params: { size: 'thumb' },
                path: childOf(path, entryName),
                query: { archive, inline: 'true', key: String(modifiedMs) },
              })
          : undefined
      }
      onOpen={(item) => void navigate(addressOf(item), item.isFolder ? {} : { state: openedFromFolder })}
      onDownload={(item) => downloadInside(archive, childOf(path, item.name), item)}
      handleRef={handleRef}
    />
  );
}

interface PreviewedFileProps {
  folder: ArchiveFolder;
  path: VirtualPath;
  listing: RefObject<ListingHandle | null>;
}

/** The previewer of a file inside an archive. */
function PreviewedFile({ folder, path, listing }: PreviewedFileProps) {
  const { archive } = folder;
  const { entry, siblings, show, close } = useFolderPreview(folder, path, {
    addressOf: (target, isFolder) => archiveAddress(archive, target, isFolder),
    listing,
  });
  if (entry === null) return null;
  return (
    <ArchivePreviewer archive={archive} entry={entry} siblings={siblings} onNavigate={show} onClose={close} />
  );
}
