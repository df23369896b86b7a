import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useRef, useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatDuration, formatNumber, formatPercent, formatSize, pluralValues } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { X } from '../../ui/icons.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { collectChosen } from './collecting/collect-chosen.ts';
import { FolderLink } from './folder-link.tsx';
import styles from './interrupted-offer.module.css';
import {
  matchUploads,
  resumeByHandle,
  resumeFolder,
  resumeFolderByHandle,
  type ResumeResult,
} from './unfinished/resume.ts';
import type {
  InterruptedFolder,
  InterruptedUpload,
  UnfinishedSnapshot,
  UnfinishedUploads,
} from './unfinished/unfinished-uploads.ts';
import type { UploadQueue } from './queue/upload-queue.ts';

interface InterruptedOfferProps {
  snapshot: UnfinishedSnapshot;
  unfinished: UnfinishedUploads;
  queue: UploadQueue;
  /** Whether the user may overwrite files. */
  canReplace: boolean;
  /** The id of the heading. */
  id: string;
}

/**
 * Offers to resume uploads that no page is sending: with one click if the browser has a handle of the file, otherwise by
 * choosing the same file or folder again. They continue where they stopped.
 */
export function InterruptedOffer({ snapshot, unfinished, queue, canReplace, id }: InterruptedOfferProps) {
  const { t } = useTranslation('uploads');
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const [chosenFolder, setChosenFolder] = useState<InterruptedFolder | null>(null);
  const { uploads, folders } = snapshot;
  const toChoose = uploads.filter(({ handle, isSending }) => handle === null && !isSending);
  const parts = { queue, unfinished, canReplace };
  const report = (result: ResumeResult, name: string) => {
    if (result === 'resumed') return;
    const message = t(result === 'denied' ? 'interrupted.denied' : 'interrupted.unmatchedOne', {
      name: isolateBidi(name),
    });
    showToast({ tone: 'error', message });
  };
  const run = (name: string, work: Promise<ResumeResult>) => {
    work.then(
      (result) => report(result, name),
      () => showToast({ tone: 'error', message: t('failure.no_connection') }),
    );
  };
  const resumeChosen = (files: readonly File[]) => {
    const { matched, unmatched } = matchUploads(files, uploads);
    queue.resumeFiles(matched);
    const [first] = unmatched;
    if (!first) return;
    const name = isolateBidi(first.name);
    const message =
      unmatched.length === 1
        ? t('interrupted.unmatchedOne', { name })
        : t('interrupted.unmatchedMany', { ...pluralValues(unmatched.length), name });
    showToast({ tone: 'error', message });
  };
  const resumeOrChoose = (folder: InterruptedFolder) => {
    if (folder.handle !== null) {
      run(folder.name, resumeFolderByHandle(folder, parts));
      return;
    }
    setChosenFolder(folder);
    folderInput.current?.click();
  };
  const resumeChosenFolder = (files: readonly File[]) => {
    const collected = collectChosen(files);
    const folder = chosenFolder ?? folders[0];
    if (folder) run(collected.items[0]?.relativePath ?? '', resumeFolder(folder, collected, parts));
  };
  return (
    <div className={styles.offer}>
      <h2 id={id} className={styles.title}>
        {t('interrupted.title', pluralValues(uploads.length + folders.length))}
      </h2>
      {toChoose.length > 0 && (
        <p className={styles.text}>{t('interrupted.text', pluralValues(toChoose.length))}</p>
      )}
      <ul className={styles.list} aria-labelledby={id}>
        {folders.map((folder) => (
          <FolderRow
            key={folder.id}
            folder={folder}
            onResume={() => resumeOrChoose(folder)}
            onDiscard={() => void unfinished.discardFolder(folder)}
          />
        ))}
        {uploads.map((upload) => (
          <FileRow
            key={upload.id}
            upload={upload}
            onResume={() => run(nameOf(upload.path), resumeByHandle(upload, queue))}
            onDiscard={() => void unfinished.discard(upload)}
          />
        ))}
      </ul>
      <div className={styles.buttons}>
        {toChoose.length > 0 && (
          <Button size="small" onClick={() => fileInput.current?.click()}>
            {t('interrupted.choose', pluralValues(toChoose.length))}
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={() => void unfinished.discardAll()}>
          {t(uploads.length + folders.length > 1 ? 'interrupted.discardAll' : 'interrupted.discard')}
        </Button>
      </div>
      <PickerInput ref={fileInput} kind="interrupted" onChosen={resumeChosen} />
      <PickerInput ref={folderInput} kind="interrupted-folder" onChosen={resumeChosenFolder} />
    </div>
  );
}

interface PickerInputProps {
  ref: Ref<HTMLInputElement>;
  kind: 'interrupted' | 'interrupted-folder';
  onChosen: (files: readonly File[]) => void;
}

/** The hidden field that opens the browser's picker of files or of a folder. */
function PickerInput({ ref, kind, onChosen }: PickerInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      data-upload={kind}
      {...(kind === 'interrupted-folder' && { webkitdirectory: '' })}
      onChange={({ currentTarget }) => {
        // Copied before the input is cleared, so that the same file can be chosen again.
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = '';
        onChosen(files);
      }}
    />
  );
}

interface RowActions {
  onResume: () => void;
  onDiscard: () => void;
}

function FolderRow({ folder, onResume, onDiscard }: RowActions & { folder: InterruptedFolder }) {
  const { t } = useTranslation('uploads');
  const { name, path, files, arrivedFiles, handle } = folder;
  return (
    <Unfinished
      icon={<FileIcon kind="folder" size={24} />}
      name={name}
      state={t('interrupted.files', { done: formatNumber(arrivedFiles), total: formatNumber(files) })}
      place={parentOf(path)}
      expiry={folder}
      onDiscard={onDiscard}
    >
      <Button
        size="small"
        onClick={onResume}
        aria-label={t(handle === null ? 'interrupted.chooseFolderOf' : 'interrupted.resumeOf', { name })}
      >
        {t(handle === null ? 'interrupted.chooseFolder' : 'interrupted.resume')}
      </Button>
    </Unfinished>
  );
}

function FileRow({ upload, onResume, onDiscard }: RowActions & { upload: InterruptedUpload }) {
  const { t } = useTranslation('uploads');
  const { path, size, offset, isSending, handle } = upload;
  const name = nameOf(path);
  const progress = t('row.sending', { percent: formatPercent(offset / size), total: formatSize(size) });
  return (
    <Unfinished
      icon={<FileIcon kind={fileKind({ name, type: 'blob', isFolder: false })} size={24} />}
      name={name}
      state={isSending ? `${progress} · ${t('interrupted.elsewhere')}` : progress}
      place={parentOf(path)}
      expiry={upload}
      onDiscard={onDiscard}
    >
      {handle === null ? null : (
        <Button size="small" onClick={onResume} aria-label={t('interrupted.resumeOf', { name })}>
          {t('interrupted.resume')}
        </Button>
      )}
    </Unfinished>
  );
}

/** Formats the time until `atMs`, in whole minutes. */
const timeUntil = (atMs: number): string =>
  formatDuration(Math.max(60, Math.round((atMs - Date.now()) / 60_000) * 60));

interface UnfinishedProps {
  icon: ReactNode;
  name: string;
  state: string;
  /** The folder of the destination. */
  place: VirtualPath;
  expiry: { readonly expiresMs: number; readonly expiresSoon: boolean };
  onDiscard: () => void;
  children: ReactNode;
}

/** A row of an unfinished file or folder. The expiry is announced during the last day. */
function Unfinished({ icon, name, state, place, expiry, onDiscard, children }: UnfinishedProps) {
  const { t } = useTranslation('uploads');
  return (
    <li className={styles.item}>
      {icon}
      <div className={styles.words}>
        <LongName className={styles.name} name={displayName(name)} />
        <span className={styles.state}>
          <bdi>{state}</bdi>
          {' · '}
          <FolderLink folder={place} />
        </span>
        {expiry.expiresSoon && (
          <span className={styles.expiry}>
            {t('interrupted.expires', { left: timeUntil(expiry.expiresMs) })}
          </span>
        )}
        {children !== null && <span className={styles.choices}>{children}</span>}
      </div>
      <IconButton
        size="small"
        label={t('interrupted.discardOf', { name: displayName(name) })}
        icon={<X />}
        onClick={onDiscard}
      />
    </li>
  );
}
