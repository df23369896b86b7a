import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { Suspense, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { X } from '../../../ui/icons.ts';
import { useKeyWithin } from '../../../ui/hooks/use-key-within.ts';
import styles from './details-panel.module.css';
import { setDetailsOpen } from './details-state.ts';
import { EntryDetails } from './entry-details.tsx';
import { LargestEntries } from './largest-entries.tsx';
import { MetadataList } from './metadata-list.tsx';
import { renameInDialog } from '../actions/name-prompts.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { folderName } from '../../../i18n/folder-name.ts';

interface DetailsPanelProps {
  session: FolderSession;
  canDownload: boolean;
  /** Opens the shares of the selected entry; absent when it cannot be shared. */
  onShare: (() => void) | undefined;
  /** Opens the versions of the selected file; absent where none are kept. */
  onVersions: (() => void) | undefined;
  /** Adds the selected entry to the favorites or removes it. */
  onFavorite: () => void;
  /** Edits the tags of the selected entry. */
  onTags: () => void;
  canRename: boolean;
  host: FolderHost;
  isOpen: boolean;
  isPhone: boolean;
}

/** Shows details of the selection, or of the folder without one: a panel beside the listing, a dialog on phones. */
export function DetailsPanel({
  session,
  canDownload,
  onShare,
  onVersions,
  onFavorite,
  onTags,
  canRename,
  host,
  isOpen,
  isPhone,
}: DetailsPanelProps) {
  const { t } = useTranslation('files');
  const close = () => setDetailsOpen(false);
  const panel = useRef<HTMLElement>(null);
  useKeyWithin(panel, isOpen && !isPhone, (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  });
  if (isPhone) {
    return (
      <Dialog title={t('details.title')} isOpen={isOpen} onClose={close}>
        <Content {...{ session, canDownload, onShare, onVersions, onFavorite, onTags, canRename, host }} />
      </Dialog>
    );
  }
  if (!isOpen) return null;
  return (
    <aside ref={panel} className={styles.panel} data-details="" aria-label={t('details.title')}>
      <div className={styles.header}>
        <h2 className={styles.title}>{t('details.title')}</h2>
        <IconButton size="small" label={t('details.close')} icon={<X />} onClick={close} />
      </div>
      <div className={styles.body}>
        <Content {...{ session, canDownload, onShare, onVersions, onFavorite, onTags, canRename, host }} />
      </div>
    </aside>
  );
}

function Content({
  session,
  canDownload,
  onShare,
  onVersions,
  onFavorite,
  onTags,
  canRename,
  host,
}: Omit<DetailsPanelProps, 'isOpen' | 'isPhone'>) {
  const { model } = session;
  useSyncExternalStore(
    model.subscribe,
    () => `${model.selectionVersion} ${model.orderVersion} ${model.dataVersion}`,
  );
  const [only] = model.selectedCount === 1 ? session.selectedEntries(1) : [];
  const onlyId = only ? session.idOf(only.path) : null;
  if (only) {
    return (
      <EntryDetails
        key={only.path}
        entry={only}
        knownBytes={onlyId === null ? undefined : model.total(onlyId)?.bytes}
        canDownload={canDownload}
        folderAddress={host.addressOf(parentOf(only.path), true)}
        onOpenFolder={() => host.openFolder(parentOf(only.path), only.name)}
        onShare={onShare}
        onVersions={onVersions}
        onRestore={host.user.perm.modify ? (version) => void host.restoreVersion(only, version) : undefined}
        marks={model.decoration(model.item(model.selectedIds()[0] ?? 0).path)}
        activity={<Activity path={only.path} isFolder={only.isFolder} host={host} />}
        onFavorite={onFavorite}
        onTags={onTags}
        onRename={canRename ? () => renameInDialog(session, only) : undefined}
      />
    );
  }
  return model.selectedCount > 1 ? (
    <SelectionDetails session={session} />
  ) : (
    <FolderDetails session={session} host={host} />
  );
}

/** The last operations of an entry; nothing while their code is loaded. */
function Activity({ path, isFolder, host }: { path: VirtualPath; isFolder: boolean; host: FolderHost }) {
  return <Suspense fallback={null}>{host.activityOf?.(path, isFolder)}</Suspense>;
}

function SelectionDetails({ session: { model } }: { session: FolderSession }) {
  const { t } = useTranslation('files');
  let folders = 0;
  for (const id of model.selectedIds()) if (model.isFolder(id)) folders += 1;
  const files = model.selectedCount - folders;
  return (
    <>
      <p className={styles.name}>{t('details.selectedCount', pluralValues(model.selectedCount))}</p>
      <MetadataList
        items={[
          ...(folders > 0 ? [{ label: t('sort.folders'), value: pluralValues(folders).number }] : []),
          ...(files > 0
            ? [
                { label: t('sort.files'), value: pluralValues(files).number },
                { label: t('details.totalSize'), value: formatSize(model.selectedBytes) },
              ]
            : []),
        ]}
      />
    </>
  );
}

function FolderDetails({
  session: { model, path, isFolder },
  host,
}: {
  session: FolderSession;
  host: FolderHost;
}) {
  const { t } = useTranslation('files');
  if (!isFolder) return <p className={styles.hint}>{t('details.nothingSelected')}</p>;
  return (
    <>
      <p className={styles.name}>
        <bdi>{folderName(path)}</bdi>
      </p>
      <MetadataList
        items={[
          { label: t('sort.folders'), value: pluralValues(model.numFolders).number },
          { label: t('sort.files'), value: pluralValues(model.numFiles).number },
          ...(model.shownBytes > 0
            ? [{ label: t('details.size'), value: formatSize(model.shownBytes) }]
            : []),
          { label: t('details.path'), value: displayName(path), isPath: true },
        ]}
      />
      <LargestEntries path={path} />
      <Activity path={path} isFolder host={host} />
      <p className={styles.hint}>{t('details.nothingSelected')}</p>
    </>
  );
}
