import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { rawUrl } from '../../api/urls.ts';
import { pageConfig } from '../../api/page-config.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { pluralValues } from '../../i18n/format.ts';
import { newerSide, sizeLine, suggestedFirst } from '../../ui/conflicts/conflict.ts';
import { ConflictDialog, type ConflictDialogSide } from '../../ui/conflicts/conflict-dialog.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import type { UploadConflict, ConflictQueue, OpenPrompt } from './queue/conflict-queue.ts';
import styles from './upload-conflict-dialog.module.css';

/** Asks how to resolve the conflicts of uploads, one after the other in one dialog. */
export function UploadConflictDialog({ conflicts }: { conflicts: ConflictQueue }) {
  const { t } = useTranslation('uploads');
  const prompt = useSyncExternalStore(conflicts.subscribe, conflicts.getSnapshot);
  // While the dialog is closing, it still shows the last conflict.
  const [last, setLast] = useState(prompt);
  if (prompt && prompt !== last) setLast(prompt);
  if (!last) return null;
  const { conflict, answers, remaining } = last;
  return (
    <ConflictDialog
      title={t('conflict.title', namesOf(conflict, t))}
      isOpen={prompt !== null}
      text={textOf(last, t)}
      sides={[sideOf(conflict, 'existing', t), sideOf(conflict, 'incoming', t)]}
      choices={suggestedFirst(answers, conflict, { isKept }).map((answer, index) => ({
        id: answer,
        label: t(`conflict.${answer}`),
        variant: index === 0 ? 'primary' : answer === 'skip' ? 'quiet' : 'secondary',
        isAside: answer === 'skip',
      }))}
      remaining={{ count: remaining, label: t('conflict.remaining', pluralValues(remaining)) }}
      onChoose={(answer, forAll) => conflicts.answer(answer, forAll)}
      onClose={() => conflicts.answer('cancel', false)}
    />
  );
}

type Translate = ReturnType<typeof useTranslation<'uploads'>>['t'];

/** Whether replaced files are kept as earlier versions. */
const isKept = pageConfig.EnableTrash;

function namesOf({ path }: UploadConflict, t: Translate): { name: string; folder: string } {
  const folder = nameOf(parentOf(path));
  return {
    name: isolateBidi(nameOf(path)),
    folder: folder === '' ? t('conflict.topFolder') : isolateBidi(folder),
  };
}

function textOf({ conflict: { incoming, existing }, answers }: OpenPrompt, t: Translate): string {
  if (incoming.isFolder !== existing.isFolder) return t('conflict.mixed');
  if (incoming.isFolder) return t('conflict.merging');
  if (answers.includes('replace')) return t(isKept ? 'conflict.replaceKept' : 'conflict.replaceLost');
  return '';
}

function sideOf(conflict: UploadConflict, role: 'incoming' | 'existing', t: Translate): ConflictDialogSide {
  return {
    heading: t(`conflict.${role}`),
    badge: newerSide(conflict) === role ? t('conflict.newer') : undefined,
    picture: (
      <div className={styles.picture}>
        <Picture key={conflict.path} conflict={conflict} role={role} side={conflict[role]} />
      </div>
    ),
    lines: linesOf(conflict, role, t),
  };
}

function linesOf(
  conflict: UploadConflict,
  role: 'incoming' | 'existing',
  t: Translate,
): ConflictDialogSide['lines'] {
  const { isFolder, modifiedMs } = conflict[role];
  const description = (isFolder ? null : sizeLine(conflict, role)) ?? t('conflict.folder');
  if (modifiedMs !== null) return [description, { atMs: modifiedMs }];
  return isFolder ? [description] : [description, t('conflict.unknownDate')];
}

/**
 * Pictures up to this size are shown in the dialog; larger ones would have to be fetched completely for a thumbnail.
 */
const largestPictureBytes = 8 * 1024 * 1024;

function Picture({
  conflict: { file, path },
  role,
  side,
}: {
  conflict: UploadConflict;
  role: 'incoming' | 'existing';
  side: UploadConflict['incoming'];
}) {
  const isPicture = file?.type.startsWith('image/') === true && side.size <= largestPictureBytes;
  const [isBroken, setIsBroken] = useState(false);
  const showLocal = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || !file) return undefined;
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  if (!isPicture || isBroken)
    return (
      <FileIcon kind={fileKind({ name: nameOf(path), type: 'blob', isFolder: side.isFolder })} size={40} />
    );
  const onError = () => setIsBroken(true);
  return role === 'incoming' ? (
    <img ref={showLocal} alt="" onError={onError} />
  ) : (
    <img src={rawUrl(path, { inline: true, key: side.modifiedMs ?? 0 })} alt="" onError={onError} />
  );
}
