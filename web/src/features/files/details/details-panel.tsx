import { parentOf } from '@filestead/contract/paths/virtual-path';
import { useRef, useSyncExternalStore } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { displayName } from '../../../i18n/display-name.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { X } from '../../../ui/icons.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { useKeyWithin } from '../../../ui/hooks/use-key-within.ts';
import styles from './details-panel.module.css';
import { setDetailsOpen } from './details-state.ts';
import { EntryDetails, HostPart } from './entry-details.tsx';
import { LargestEntries } from './largest-entries.tsx';
import { MetadataList } from './metadata-list.tsx';
import { renameInDialog } from '../actions/name-prompts.ts';
import type { FileEntry } from '../entries/entry.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { kindName } from '../listing/rows/kind-name.ts';
import { folderName } from '../../../i18n/folder-name.ts';

interface DetailsPanelProps extends ContentProps {
  isOpen: boolean;
  isPhone: boolean;
}

interface ContentProps {
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
}

/** Shows details of the selection, or of the folder without one: a panel beside the listing, a dialog on phones. */
export function DetailsPanel({ isOpen, isPhone, ...content }: DetailsPanelProps) {
  if (isPhone) return <DetailsDialog {...content} isOpen={isOpen} />;
  return isOpen && <DetailsAside {...content} />;
}

const close = (): void => setDetailsOpen(false);

function DetailsDialog({ isOpen, ...content }: ContentProps & { isOpen: boolean }) {
  const subject = useSubject(content.session);
  return (
    <Dialog title={subject.title} isOpen={isOpen} onClose={close}>
      <Content {...content} only={subject.only} isPhone />
    </Dialog>
  );
}

function DetailsAside(content: ContentProps) {
  const { t } = useTranslation('files');
  const { host, onFavorite } = content;
  const { title, only } = useSubject(content.session);
  const panel = useRef<HTMLElement>(null);
  useKeyWithin(panel, true, (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  });
  return (
    <aside ref={panel} className={styles.panel} data-details="" aria-label={t('details.title')}>
      <div className={styles.header}>
        <h2 className={styles.title}>
          <bdi>{title}</bdi>
        </h2>
        {only && <HostPart kind="favorite" entries={[only]} host={host} onChange={onFavorite} />}
        <IconButton size="small" label={t('details.close')} icon={<X />} onClick={close} />
      </div>
      <div className={styles.body}>
        <Content {...content} only={only} isPhone={false} />
      </div>
    </aside>
  );
}

/** Returns the name of what the details are about, and the entry if it is a single one. */
function useSubject(session: FolderSession) {
  const { model, path, isFolder } = session;
  const { t } = useTranslation('files');
  useSyncExternalStore(
    model.subscribe,
    () => `${model.selectionVersion} ${model.orderVersion} ${model.dataVersion}`,
  );
  const count = model.selectedCount;
  const [only] = count === 1 ? session.selectedEntries(1) : [];
  if (only) return { title: displayName(only.name), only };
  if (count > 0) return { title: t('details.selectedCount', pluralValues(count)), only };
  return { title: isFolder ? folderName(path) : t('details.title'), only };
}

function Content(props: ContentProps & { only: FileEntry | undefined; isPhone: boolean }) {
  const { session, host, only, isPhone, canDownload, canRename, onShare, onVersions, onFavorite, onTags } =
    props;
  const { model } = session;
  if (!only) {
    return model.selectedCount > 0 ? (
      <SelectionDetails {...props} />
    ) : (
      <FolderDetails session={session} host={host} />
    );
  }
  const onlyId = session.idOf(only.path);
  const part = { entries: [only], host };
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
      marks={
        <>
          {isPhone && <HostPart {...part} kind="favorite" onChange={onFavorite} />}
          <HostPart {...part} kind="tags" onChange={onTags} />
        </>
      }
      activity={<HostPart {...part} kind="activity" />}
      onRename={canRename ? () => renameInDialog(session, only) : undefined}
    />
  );
}

/** The number of selected entries up to which their kinds are counted and their tags compared. */
const maxCompared = 500;

function SelectionDetails({ session, host, onTags }: ContentProps) {
  const { t } = useTranslation('files');
  const { model } = session;
  let folders = 0;
  for (const id of model.selectedIds()) if (model.isFolder(id)) folders += 1;
  const files = model.selectedCount - folders;
  const compared = model.selectedCount <= maxCompared ? session.selectedEntries() : [];
  const counts: readonly (readonly [string, number])[] = [
    [t('sort.folders'), folders],
    ...(compared.length > 0 ? countKinds(compared) : [[t('sort.files'), files] as const]),
  ];
  return (
    <>
      {compared.length > 0 && (
        <div className={styles.marks}>
          <HostPart kind="tags" entries={compared} host={host} onChange={onTags} />
        </div>
      )}
      <section className={styles.section} aria-label={t('details.about')}>
        <h3>{t('details.about')}</h3>
        <MetadataList
          items={[
            ...counts
              .filter(([, count]) => count > 0)
              .map(([label, count]) => ({ label, value: pluralValues(count).number })),
            ...(files > 0 ? [{ label: t('details.totalSize'), value: formatSize(model.selectedBytes) }] : []),
          ]}
        />
      </section>
    </>
  );
}

/** Returns the kinds of the files among entries with their numbers, the most frequent one first. */
function countKinds(entries: readonly FileEntry[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (entry.isFolder) continue;
    const kind = kindName(entry);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
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
      <div className={styles.picture} data-icon="">
        <FileIcon kind="folder" size={72} />
      </div>
      <section className={styles.section} aria-label={t('details.about')}>
        <h3>{t('details.about')}</h3>
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
      </section>
      <LargestEntries path={path} />
      <HostPart kind="activity" entries={[{ path, isFolder: true }]} host={host} />
      <p className={styles.hint}>{t('details.nothingSelected')}</p>
    </>
  );
}
