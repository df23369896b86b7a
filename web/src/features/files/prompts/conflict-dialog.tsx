import { nameOf, parentOf } from '@filestead/contract/virtual-path';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDateExact, formatSize } from '../../../i18n/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FileIcon } from '../../../ui/file-icon.tsx';
import { isolated } from '../failure.ts';
import { fileKind } from '../listing/file-kind.ts';
import { counted, folderName } from '../toasts.ts';
import type { Conflict, ConflictChoice, ConflictSide } from '../transfers/conflict.ts';
import styles from './conflict-dialog.module.css';
import { closePrompt, type ConflictPrompt } from './prompt-store.ts';

/** Asks what shall happen to an entry whose name is taken, with both sides in view. */
export function ConflictDialog({ prompt, isOpen }: { prompt: ConflictPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { conflict, remaining, onReply } = prompt;
  const [isForRemaining, setIsForRemaining] = useState(false);
  const reply = (choice: ConflictChoice) => {
    closePrompt(prompt);
    onReply({ choice, forRemaining: isForRemaining && remaining > 0 });
    setIsForRemaining(false);
  };
  const [main, ...others] = conflict.choices;
  return (
    <Dialog
      title={titleOf(conflict, t)}
      isOpen={isOpen}
      onClose={() => reply('cancel')}
      footer={
        <>
          {others.toReversed().map((choice) => (
            <Button key={choice} onClick={() => reply(choice)}>
              {t(`conflict.${choice}`)}
            </Button>
          ))}
          {main && (
            <Button variant="primary" autoFocus onClick={() => reply(main)}>
              {t(`conflict.${main}`)}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.text} aria-live="polite">
        {textOf(conflict, t)}
      </p>
      <div className={styles.sides}>
        <Side conflict={conflict} which="existing" />
        <Side conflict={conflict} which="incoming" />
      </div>
      {remaining > 0 && (
        <Checkbox className={styles.remaining} isSelected={isForRemaining} onChange={setIsForRemaining}>
          {t('conflict.remaining', counted(remaining))}
        </Checkbox>
      )}
    </Dialog>
  );
}

type Translate = ReturnType<typeof useTranslation<'files'>>['t'];

function titleOf({ incoming, existing }: Conflict, t: Translate): string {
  if (incoming.isFolder !== existing.isFolder) return t('conflict.nameTitle');
  return t(incoming.isFolder ? 'conflict.folderTitle' : 'conflict.fileTitle');
}

function textOf({ path, incoming, existing, choices }: Conflict, t: Translate): string {
  const names = { name: isolated(nameOf(path)), folder: folderName(parentOf(path)) };
  if (choices.includes('merge')) return t('conflict.folderText', names);
  if (choices.includes('replace')) return t('conflict.fileText', names);
  return t(
    incoming.isFolder === existing.isFolder || existing.modifiedMs === null
      ? 'conflict.fileTextKeep'
      : 'conflict.mixedText',
    names,
  );
}

/** The side that was changed last, or null when they are equally old or it is not known. */
function newerSide({ incoming, existing }: Conflict): 'incoming' | 'existing' | null {
  if (incoming.modifiedMs === null || existing.modifiedMs === null) return null;
  // Disks keep times to the second at least.
  if (Math.abs(incoming.modifiedMs - existing.modifiedMs) < 1000) return null;
  return incoming.modifiedMs > existing.modifiedMs ? 'incoming' : 'existing';
}

function Side({ conflict, which }: { conflict: Conflict; which: 'incoming' | 'existing' }) {
  const { t } = useTranslation('files');
  const side = conflict[which];
  return (
    <div className={styles.side}>
      <FileIcon
        kind={fileKind({ name: nameOf(conflict.path), isFolder: side.isFolder, type: 'blob' })}
        size={40}
      />
      <div className={styles.facts}>
        <div className={styles.heading}>
          {t(`conflict.${which}`)}
          {newerSide(conflict) === which && <span className={styles.newer}>{t('conflict.newer')}</span>}
        </div>
        <Facts side={side} />
      </div>
    </div>
  );
}

function Facts({ side }: { side: ConflictSide }) {
  const { t } = useTranslation('files');
  if (side.modifiedMs === null) return <div className={styles.fact}>{t('conflict.hidden')}</div>;
  return (
    <>
      <div className={styles.fact}>
        {side.isFolder || side.size === null ? t('conflict.folder') : formatSize(side.size)}
      </div>
      <div className={styles.fact}>
        <time dateTime={new Date(side.modifiedMs).toISOString()} title={formatDateExact(side.modifiedMs)}>
          {formatDate(side.modifiedMs)}
        </time>
      </div>
    </>
  );
}
