import type { Version, VersionProperties } from '@filestead/contract/endpoints/versions';
import { maxVersionLabelLength } from '@filestead/contract/values/limits';
import { useRef, useState } from 'react';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { followDownload } from '../../ui/follow-download.ts';
import { Download, Ellipsis, Lock, PencilLine, RefreshCw, Trash2 } from '../../ui/icons.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../ui/overlays/menu.tsx';
import { runAfterMenus, runAfterNestedDialogs } from '../../ui/overlays/run-after-dialogs.ts';
import { downloadUrl } from './load-versions.ts';
import { useVersions, type Versions } from './use-versions.ts';
import { VersionList } from './version-list.tsx';
import { VersionPreview } from './version-preview.tsx';
import { timeText, versionsText, writtenAt } from './version-texts.ts';
import styles from './versions-dialog.module.css';
import type { VersionedFile, VersionsHost } from './versions-host.ts';

interface VersionsDialogProps {
  file: VersionedFile;
  host: VersionsHost;
  isOpen: boolean;
  onClose: () => void;
}

/** The former states of one file: a list, a preview of the selected one, and the actions on it. One instance per opening. */
export function VersionsDialog({ file, host, isOpen, onClose }: VersionsDialogProps) {
  const { t } = useTranslation('versions');
  const versions = useVersions(file, host);
  const { page } = versions;
  /** Undefined until the user selects a state; until then the latest version is shown. */
  const [choice, setChoice] = useState<string | null | undefined>();
  const isKnown = choice === null || page?.versions.some(({ id }) => id === choice) === true;
  const selected =
    choice !== undefined && isKnown
      ? choice
      : (page?.versions.find(({ isUnchanged }) => !isUnchanged)?.id ?? null);
  const version = page?.versions.find(({ id }) => id === selected) ?? null;
  /** The version of the last nested dialog, which keeps its content while it closes. */
  const [prompt, setPrompt] = useState<{ kind: 'label' | 'delete'; version: Version } | null>(null);
  const [openQuestion, setOpenQuestion] = useState<'label' | 'delete' | null>(null);
  const ask = (kind: 'label' | 'delete') => {
    if (version === null) return;
    runAfterMenus(() => {
      setPrompt({ kind, version });
      setOpenQuestion(kind);
    });
  };
  const columns = useRef<HTMLDivElement>(null);
  /** Focuses the selected version, because the button that opened the nested dialog may no longer exist. */
  const closeQuestion = () => {
    setOpenQuestion(null);
    runAfterNestedDialogs(() =>
      columns.current?.querySelector<HTMLElement>('[role=option][aria-selected=true]')?.focus(),
    );
  };
  return (
    <Dialog
      title={t('title', { name: isolateBidi(file.name) })}
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      isFlush
      footer={
        page !== null && (
          <Footer
            file={file}
            version={version}
            versions={versions}
            host={host}
            onAsk={ask}
            onClose={onClose}
          />
        )
      }
    >
      {page === null ? (
        <div className={styles.waiting}>
          {versions.failure === null ? (
            <p role="status">{t('loading')}</p>
          ) : (
            <>
              <p role="alert">{`${t('notLoaded')} ${host.reasonOf(versions.failure)}`}</p>
              <Button size="small" icon={<RefreshCw />} onClick={versions.reload}>
                {t('retry', { ns: 'common' })}
              </Button>
            </>
          )}
        </div>
      ) : (
        <div ref={columns} className={styles.columns}>
          <div className={styles.list}>
            <VersionList file={file} page={page} selected={selected} onSelect={setChoice} />
            {page.versions.length === 0 && <p className={styles.none}>{t('none')}</p>}
          </div>
          <div className={styles.preview}>
            <VersionPreview key={selected} file={file} version={version} host={host} />
          </div>
        </div>
      )}
      {/* Nested in the dialog, which would take the focus back from a dialog outside of it. */}
      {prompt?.kind === 'label' && (
        <LabelDialog
          key={prompt.version.id}
          version={prompt.version}
          isOpen={openQuestion === 'label'}
          onClose={closeQuestion}
          onSave={(label) => void changeVersion(versions, host, prompt.version, { label })}
        />
      )}
      {prompt?.kind === 'delete' && (
        <DeleteDialog
          key={prompt.version.id}
          version={prompt.version}
          isOpen={openQuestion === 'delete'}
          host={host}
          onClose={closeQuestion}
          onDelete={() => versions.remove(prompt.version)}
        />
      )}
    </Dialog>
  );
}

/** Changes the properties of a version, and reports a failure. */
async function changeVersion(
  versions: Versions,
  host: VersionsHost,
  version: Version,
  properties: VersionProperties,
): Promise<void> {
  try {
    await versions.change(version, properties);
  } catch (error) {
    showToast({ tone: 'error', message: `${versionsText('failed.change')} ${host.reasonOf(error)}` });
  }
}

interface FooterProps {
  file: VersionedFile;
  /** Null for the current state. */
  version: Version | null;
  versions: Versions;
  host: VersionsHost;
  /** Asks for the label, or whether the version is deleted. */
  onAsk: (question: 'label' | 'delete') => void;
  onClose: () => void;
}

/** The actions on the selected state. */
function Footer({ file, version, versions, host, onAsk, onClose }: FooterProps) {
  const { t } = useTranslation('versions');
  const [pending, setPending] = useState<'restore' | 'copy' | null>(null);
  const run = async (action: 'restore' | 'copy', work: () => Promise<void>) => {
    setPending(action);
    try {
      await work();
      onClose();
    } catch (error) {
      showToast({ tone: 'error', message: `${versionsText(`failed.${action}`)} ${host.reasonOf(error)}` });
      setPending(null);
    }
  };
  const download = () => followDownload(downloadUrl(file, version), file.name);
  return (
    <>
      <p className={styles.note}>{version !== null && version.canRestore && t('presentIsKept')}</p>
      {version !== null && (version.canRestore || version.canDelete) && (
        <MenuTrigger>
          <IconButton label={t('more')} icon={<Ellipsis />} />
          <Menu label={t('more')}>
            {version.canRestore && (
              <MenuItem icon={<PencilLine />} onAction={() => onAsk('label')}>
                {version.label === null ? t('actions.addLabel') : t('actions.changeLabel')}
              </MenuItem>
            )}
            {version.canRestore && (
              <MenuItem
                icon={<Lock />}
                onAction={() =>
                  void changeVersion(versions, host, version, { keepForever: !version.keepForever })
                }
              >
                {version.keepForever ? t('actions.keepNoLonger') : t('actions.keepForever')}
              </MenuItem>
            )}
            {version.canDelete && (
              <MenuItem icon={<Trash2 />} tone="danger" onAction={() => onAsk('delete')}>
                {t('actions.delete')}
              </MenuItem>
            )}
          </Menu>
        </MenuTrigger>
      )}
      {host.can.download && (
        <Button icon={<Download />} onClick={download}>
          {t('actions.download')}
        </Button>
      )}
      {version !== null && host.can.create && host.can.download && (
        <Button
          isPending={pending === 'copy'}
          isDisabled={pending !== null}
          onClick={() => void run('copy', () => versions.saveCopy(version))}
        >
          {t('actions.saveCopy')}
        </Button>
      )}
      {version?.canRestore === true && (
        <Button
          variant="primary"
          isPending={pending === 'restore'}
          isDisabled={pending !== null}
          onClick={() => void run('restore', () => versions.restore(version))}
        >
          {t('actions.restore')}
        </Button>
      )}
    </>
  );
}

interface LabelDialogProps {
  version: Version;
  isOpen: boolean;
  onClose: () => void;
  onSave: (label: string) => void;
}

function LabelDialog({ version, isOpen, onClose, onSave }: LabelDialogProps) {
  const { t } = useTranslation('versions');
  const [label, setLabel] = useState(version.label ?? '');
  const save = () => {
    onSave(label.trim());
    onClose();
  };
  return (
    <Dialog
      title={t('label.title')}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={save}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit">
            {t('label.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('label.field')}
        description={t('label.description')}
        value={label}
        onChange={setLabel}
        maxLength={maxVersionLabelLength}
        autoFocus
      />
    </Dialog>
  );
}

interface DeleteDialogProps {
  version: Version;
  isOpen: boolean;
  host: VersionsHost;
  onClose: () => void;
  onDelete: () => Promise<void>;
}

function DeleteDialog({ version, isOpen, host, onClose, onDelete }: DeleteDialogProps) {
  const { t } = useTranslation('versions');
  const [nowMs] = useState(Date.now);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const confirm = async () => {
    setPending(true);
    try {
      await onDelete();
      onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <ConfirmDialog
      title={t('delete.title', { time: timeText(writtenAt(version), nowMs) })}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => void confirm()}
      confirmLabel={t('actions.delete')}
      isPending={isPending}
      errorMessage={failure === null ? null : `${t('failed.delete')} ${host.reasonOf(failure)}`}
    >
      {t('delete.text')}
    </ConfirmDialog>
  );
}
