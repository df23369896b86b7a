import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { pageConfig } from '../../../api/page-config.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { type ConflictChoice, newerSide, sizeLine, suggestedFirst } from '../../../ui/conflicts/conflict.ts';
import { ConflictDialog, type ConflictDialogSide } from '../../../ui/conflicts/conflict-dialog.tsx';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { fileKind } from '../../../ui/names/file-kind.ts';
import { pictureAddress } from '../entries/picture-address.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import type { TransferConflict } from '../transfers/conflict.ts';
import styles from './transfer-conflict-dialog.module.css';
import { closePrompt, type ConflictPrompt } from './prompt-store.ts';

/** Asks how to resolve a conflict, with both entries in view. */
export function TransferConflictDialog({ prompt, isOpen }: { prompt: ConflictPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { conflict, remaining, onReply } = prompt;
  const reply = (choice: ConflictChoice, forRemaining: boolean) => {
    closePrompt(prompt);
    onReply({ choice, forRemaining });
  };
  return (
    <ConflictDialog
      title={t('conflict.title', {
        name: isolateBidi(nameOf(conflict.path)),
        folder: folderName(parentOf(conflict.path)),
      })}
      isOpen={isOpen}
      text={textOf(conflict, t)}
      sides={[sideOf(conflict, 'existing', t), sideOf(conflict, 'incoming', t)]}
      choices={suggestedFirst(conflict.choices, conflict, { isKept }).map((choice, index) => ({
        id: choice,
        label: t(`conflict.${choice}`),
        variant: index === 0 ? 'primary' : choice === 'skip' ? 'quiet' : 'secondary',
        isAside: choice === 'skip',
      }))}
      remaining={{ count: remaining, label: t('conflict.remaining', pluralValues(remaining)) }}
      onChoose={reply}
      onClose={() => reply('cancel', false)}
    />
  );
}

type Translate = ReturnType<typeof useTranslation<'files'>>['t'];

/** Whether replaced files are kept as earlier versions. */
const isKept = pageConfig.EnableTrash;

function textOf({ incoming, existing, choices }: TransferConflict, t: Translate): string {
  if (incoming.isFolder !== existing.isFolder && existing.modifiedMs !== null) return t('conflict.mixed');
  if (choices.includes('merge')) return t(isKept ? 'conflict.mergeKept' : 'conflict.mergeLost');
  if (choices.includes('replace')) return t(isKept ? 'conflict.replaceKept' : 'conflict.replaceLost');
  return '';
}

function sideOf(conflict: TransferConflict, role: 'incoming' | 'existing', t: Translate): ConflictDialogSide {
  const { from } = conflict;
  return {
    heading:
      role === 'existing'
        ? t('conflict.existing')
        : from === undefined
          ? t('conflict.incoming')
          : t('conflict.from', { folder: folderName(parentOf(from)) }),
    badge: newerSide(conflict) === role ? t('conflict.newer') : undefined,
    picture: <SidePicture conflict={conflict} role={role} />,
    lines: linesOf(conflict, role, t),
  };
}

/** Shows the thumbnail of an image, or the icon of any other file. */
function SidePicture({ conflict, role }: { conflict: TransferConflict; role: 'incoming' | 'existing' }) {
  const [failed, setFailed] = useState<string | null>(null);
  const { isFolder, size, modifiedMs } = conflict[role];
  const path = role === 'existing' ? conflict.path : conflict.from;
  const kind = fileKind({ name: nameOf(conflict.path), isFolder, type: 'blob' });
  const isPicture = conflict.hasPictures === true && kind === 'image';
  const address =
    isPicture && path !== undefined && size !== null && modifiedMs !== null
      ? pictureAddress({ name: nameOf(path), path, type: 'image', size, modifiedMs }, 'list', false)
      : null;
  if (address === null || address === failed) return <FileIcon kind={kind} size={40} />;
  return <img className={styles.picture} src={address} alt="" onError={() => setFailed(address)} />;
}

function linesOf(
  conflict: TransferConflict,
  role: 'incoming' | 'existing',
  t: Translate,
): ConflictDialogSide['lines'] {
  const { isFolder, modifiedMs } = conflict[role];
  if (modifiedMs === null) return [t('conflict.hidden')];
  return [(isFolder ? null : sizeLine(conflict, role)) ?? t('conflict.folder'), { atMs: modifiedMs }];
}
