import { nameOf, parentOf } from '@filestead/contract/virtual-path';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { rawUrl } from '../../api/urls.ts';
import { formatDate, formatDateExact, formatNumber, formatSize } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FileIcon } from '../../ui/file-icon.tsx';
import type { Conflict, ConflictDesk, ConflictSide, OpenQuestion } from './conflict-desk.ts';
import styles from './conflict-dialog.module.css';

/** Asks what shall become of uploads whose names are taken, one after the other in one dialog. */
export function ConflictDialog({ desk }: { desk: ConflictDesk }) {
  const { t } = useTranslation('uploads');
  const question = useSyncExternalStore(desk.subscribe, desk.getSnapshot);
  // While the dialog leaves, it still shows what was asked last.
  const [last, setLast] = useState(question);
  if (question && question !== last) setLast(question);
  const [isForRemaining, setIsForRemaining] = useState(false);
  if (!last) return null;
  const answer = (given: OpenQuestion['answers'][number]) => {
    desk.answer(given, isForRemaining && last.remaining > 0);
    setIsForRemaining(false);
  };
  const [main, ...others] = last.answers;
  return (
    <Dialog
      title={titleOf(last.conflict, t)}
      isOpen={question !== null}
      onClose={() => desk.answer('cancel', false)}
      size="medium"
      footer={
        <>
          {others.reverse().map((other) => (
            <Button key={other} onClick={() => answer(other)}>
              {labelOf(other, t)}
            </Button>
          ))}
          {main && (
            <Button variant="primary" autoFocus onClick={() => answer(main)}>
              {labelOf(main, t)}
            </Button>
          )}
        </>
      }
    >
      <ConflictText question={last} />
      <div className={styles.sides}>
        <Side conflict={last.conflict} which="existing" />
        <Side conflict={last.conflict} which="incoming" />
      </div>
      {last.remaining > 0 && (
        <Checkbox className={styles.remaining} isSelected={isForRemaining} onChange={setIsForRemaining}>
          {t('conflict.remaining', { count: last.remaining, number: formatNumber(last.remaining) })}
        </Checkbox>
      )}
    </Dialog>
  );
}

type Translate = ReturnType<typeof useTranslation<'uploads'>>['t'];

const labelOf = (answer: OpenQuestion['answers'][number], t: Translate): string =>
  answer === 'cancel' ? '' : t(`conflict.${answer}`);

function titleOf({ incoming, existing }: Conflict, t: Translate): string {
  if (incoming.isFolder !== existing.isFolder) return t('conflict.nameTitle');
  return incoming.isFolder ? t('conflict.folderTitle') : t('conflict.fileTitle');
}

function ConflictText({ question: { conflict, answers } }: { question: OpenQuestion }) {
  const { t } = useTranslation('uploads');
  const { path, incoming, existing } = conflict;
  const names = { name: nameOf(path), folder: nameOf(parentOf(path)) || t('conflict.topFolder') };
  const key =
    incoming.isFolder !== existing.isFolder
      ? 'mixedText'
      : incoming.isFolder
        ? 'folderText'
        : answers.includes('replace')
          ? 'fileText'
          : 'fileTextKeep';
  // The next question takes the place of the last one in the same dialog, so it is read out.
  return (
    <p className={styles.text} aria-live="polite">
      {t(`conflict.${key}`, names)}
    </p>
  );
}

/** The side that was changed last, or null when they are as old as each other or it is not known. */
function newerSide({ incoming, existing }: Conflict): 'incoming' | 'existing' | null {
  if (incoming.modifiedMs === null || existing.modifiedMs === null) return null;
  // Servers and disks keep times to the second at least.
  if (Math.abs(incoming.modifiedMs - existing.modifiedMs) < 1000) return null;
  return incoming.modifiedMs > existing.modifiedMs ? 'incoming' : 'existing';
}

function Side({ conflict, which }: { conflict: Conflict; which: 'incoming' | 'existing' }) {
  const { t } = useTranslation('uploads');
  const side = conflict[which];
  return (
    <div className={styles.side}>
      <div className={styles.picture}>
        <Picture key={conflict.path} conflict={conflict} which={which} side={side} />
      </div>
      <div className={styles.facts}>
        <div className={styles.heading}>
          {t(`conflict.${which}`)}
          {newerSide(conflict) === which && <span className={styles.newer}>{t('conflict.newer')}</span>}
        </div>
        <div className={styles.size}>{side.isFolder ? t('conflict.folder') : formatSize(side.size)}</div>
        <div className={styles.date}>
          {side.modifiedMs === null ? (
            side.isFolder || t('conflict.unknownDate')
          ) : (
            <time dateTime={new Date(side.modifiedMs).toISOString()} title={formatDateExact(side.modifiedMs)}>
              {formatDate(side.modifiedMs)}
            </time>
          )}
        </div>
      </div>
    </div>
  );
}

/** Pictures up to this size are shown beside each other; larger ones would be fetched whole for a thumbnail. */
const largestPictureBytes = 8 * 1024 * 1024;

function Picture({
  conflict: { file, path },
  which,
  side,
}: {
  conflict: Conflict;
  which: 'incoming' | 'existing';
  side: ConflictSide;
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
  if (!isPicture || isBroken) return <FileIcon kind={side.isFolder ? 'folder' : 'other'} size={40} />;
  const onError = () => setIsBroken(true);
  return which === 'incoming' ? (
    <img ref={showLocal} alt="" onError={onError} />
  ) : (
    <img src={rawUrl(path, { inline: true, key: side.modifiedMs ?? 0 })} alt="" onError={onError} />
  );
}
