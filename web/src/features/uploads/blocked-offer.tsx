import { childOf, nameOf, parentOf } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pluralValues } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { displayName } from '../../i18n/display-name.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FileIcon } from '../../ui/names/file-icon.tsx';
import { fileKind } from '../../ui/names/file-kind.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { pathOfText } from '../../ui/fields/typed-path.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import type { BlockedChoice, BlockedUpload, BlockedUploads } from './blocked-uploads.ts';
import { FolderLink } from './folder-link.tsx';
import styles from './interrupted-offer.module.css';
import { uploadFailureText } from './upload-texts.ts';

interface BlockedOfferProps {
  uploads: readonly BlockedUpload[];
  blocked: BlockedUploads;
  /** The id of the heading. */
  id: string;
}

/** The blocked uploads, each with the reason and the possible actions. */
export function BlockedOffer({ uploads, blocked, id }: BlockedOfferProps) {
  const { t } = useTranslation('uploads');
  return (
    <div className={styles.offer}>
      <h2 id={id} className={styles.title}>
        {t('blocked.title', pluralValues(uploads.length))}
      </h2>
      <p className={styles.text}>{t('blocked.text')}</p>
      <ul className={styles.tallList} aria-labelledby={id}>
        {uploads.map((upload) => (
          <Blocked key={upload.id} upload={upload} blocked={blocked} />
        ))}
      </ul>
    </div>
  );
}

function Blocked({ upload, blocked }: { upload: BlockedUpload; blocked: BlockedUploads }) {
  const { t } = useTranslation('uploads');
  const [isPending, setPending] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const { path, reason } = upload;
  const name = nameOf(path);
  const folder = parentOf(path);
  const isTaken = reason === 'already_exists';
  const finish = async (choice: BlockedChoice): Promise<boolean> => {
    setPending(true);
    const failure = await blocked.finish(upload, choice);
    setPending(false);
    if (failure !== null) showToast({ tone: 'error', message: uploadFailureText(t, failure) });
    else
      showToast({
        tone: 'success',
        message: t('blocked.finished', { name: isolateBidi(name) }),
      });
    return failure === null;
  };
  const discard = async () => {
    setPending(true);
    const failure = await blocked.discard(upload);
    setPending(false);
    if (failure !== null) showToast({ tone: 'error', message: uploadFailureText(t, failure) });
  };
  return (
    <li className={styles.item}>
      <FileIcon kind={fileKind({ name, type: 'blob', isFolder: false })} size={24} />
      <div className={styles.words}>
        <LongName className={styles.name} name={displayName(name)} />
        <span className={styles.reason}>
          {uploadFailureText(t, reason)} <FolderLink folder={folder} />
        </span>
        <span className={styles.choices}>
          {(isTaken ? (['keep_both', 'replace'] as const) : (['retry'] as const)).map((action) => (
            <Button
              key={action}
              size="small"
              isDisabled={isPending}
              aria-label={t(`blocked.${action}Of`, { name: displayName(name) })}
              onClick={() => void finish({ action })}
            >
              {t(`blocked.${action}`)}
            </Button>
          ))}
          <Button
            size="small"
            isDisabled={isPending}
            aria-label={t('blocked.moveOf', { name: displayName(name) })}
            onClick={() => setChoosing(true)}
          >
            {t('blocked.move')}
          </Button>
          <Button
            size="small"
            variant="quiet"
            isDisabled={isPending}
            aria-label={t('blocked.discardOf', { name: displayName(name) })}
            onClick={() => void discard()}
          >
            {t('blocked.discard')}
          </Button>
        </span>
      </div>
      {isChoosing && (
        <FolderDialog
          name={name}
          folder={folder}
          isPending={isPending}
          onClose={() => setChoosing(false)}
          onChosen={async (chosen) => {
            if (await finish({ action: 'move', path: childOf(chosen, name) })) setChoosing(false);
          }}
        />
      )}
    </li>
  );
}

interface FolderDialogProps {
  name: string;
  folder: BlockedUpload['path'];
  isPending: boolean;
  onClose: () => void;
  onChosen: (folder: BlockedUpload['path']) => Promise<void>;
}

/** Asks for another destination folder of a blocked upload. */
function FolderDialog({ name, folder, isPending, onClose, onChosen }: FolderDialogProps) {
  const { t } = useTranslation('uploads');
  const { t: common } = useTranslation('common');
  const [text, setText] = useState<string>(folder);
  const chosen = pathOfText(text);
  const submit = () => {
    if (chosen !== null && !isPending) void onChosen(chosen);
  };
  return (
    <Dialog
      title={t('blocked.folderTitle', { name: displayName(name) })}
      isOpen
      onClose={onClose}
      isDismissable={!isPending}
      footer={
        <>
          <Button isDisabled={isPending} onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button variant="primary" isDisabled={chosen === null} isPending={isPending} onClick={submit}>
            {t('blocked.folderConfirm')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={t('blocked.folderLabel')}
          description={t('blocked.folderHint')}
          value={text}
          onChange={setText}
          errorMessage={chosen === null ? t('blocked.folderWrong') : undefined}
          autoFocus
        />
      </form>
    </Dialog>
  );
}
