import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { displayName } from '../../../i18n/display-name.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { FolderPlus, Search } from '../../../ui/icons.ts';
import { FileIcon } from '../../../ui/names/file-icon.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { checkDestination } from '../transfers/check-destination.ts';
import { containsDestination } from '../transfers/plan-transfer.ts';
import styles from './destination-dialog.module.css';
import { FolderFinder, typedPath, useFoundFolders } from './folder-finder.tsx';
import { FolderTreeView } from './folder-tree.tsx';
import { NewFolderRow } from './new-folder-row.tsx';
import { closePrompt, type DestinationPrompt } from './prompt-store.ts';
import { forgetTarget, recentTargets, storeTarget } from './recent-targets.ts';
import { useFolderTree, type FolderTree } from './use-folder-tree.ts';

/** Asks for the folder to which entries are moved or copied, files uploaded, or deleted items restored. */
export function DestinationDialog({ prompt, isOpen }: { prompt: DestinationPrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { transfer, entries, start, canCreate, onChosen } = prompt;
  const names = prompt.names ?? entries.map(({ name }) => name);
  const tree = useFolderTree();
  const [picked, setPicked] = useState<VirtualPath>(start);
  const [isNaming, setNaming] = useState(false);
  const [text, setText] = useState('');
  const [targets] = useState(recentTargets);
  const [focusRequests, setFocusRequests] = useState(0);
  const focusTree = () => setFocusRequests((count) => count + 1);
  const found = useFoundFolders(text);

  const isClosed = (path: VirtualPath) => containsDestination(entries, path);
  const checkFolder = (path: VirtualPath) =>
    transfer === 'upload' || transfer === 'restore'
      ? { isRefused: false, reason: null }
      : checkDestination(transfer, entries, path);
  const check = checkFolder(picked);
  const [first] = entries;
  const current =
    first && entries.every(({ path }) => parentOf(path) === parentOf(first.path))
      ? parentOf(first.path)
      : null;

  const { reveal, expand } = tree;
  useInitialFolder(
    tree,
    start,
    targets.find((path) => !isClosed(path)),
    setPicked,
  );
  const close = () => closePrompt(prompt);
  const confirm = (path = picked) => {
    if (checkFolder(path).isRefused) return;
    storeTarget(path);
    close();
    onChosen(path);
  };
  /** Shows a folder in the tree, picks it and focuses it, unless the user is typing. */
  const show = async (path: VirtualPath) => {
    setNaming(false);
    if (!(await reveal(path))) {
      forgetTarget(path);
      return;
    }
    setText('');
    setPicked(path);
    expand(path);
    focusTree();
  };
  const submit = () => {
    if (text.trim() === '') {
      confirm();
      return;
    }
    // Enter in the field goes to the path or the first result.
    const path = typedPath(text) ?? found?.find((candidate) => !isClosed(candidate));
    if (path !== undefined && path !== null && !isClosed(path)) void show(path);
  };
  const only = names.length === 1 ? names[0] : undefined;
  const recent = targets.filter((path) => !isClosed(path));
  return (
    <Dialog
      title={
        only
          ? t(`transfer.${transfer}TitleOne`, { name: isolateBidi(only) })
          : t(`transfer.${transfer}TitleMany`, pluralValues(names.length))
      }
      isOpen={isOpen}
      onClose={close}
      size="larger"
      isFlush
      onSubmit={submit}
      footer={
        <>
          {canCreate && (
            <Button
              variant="quiet"
              icon={<FolderPlus />}
              isDisabled={isNaming || isClosed(picked)}
              onClick={() => {
                setText('');
                tree.expand(picked);
                setNaming(true);
              }}
            >
              {t('transfer.newFolder')}
            </Button>
          )}
          <p className={styles.sentence} aria-live="polite">
            {check.reason === null || check.reason === 'alreadyThere' ? (
              <Place path={picked} />
            ) : (
              t(`transfer.${check.reason}`)
            )}
          </p>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" isDisabled={check.isRefused} onClick={() => confirm()}>
            {t(`transfer.${transfer}Button`)}
          </Button>
        </>
      }
    >
      <div className={styles.field}>
        <TextField
          label={t('transfer.find')}
          isLabelHidden
          placeholder={t('transfer.find')}
          icon={<Search />}
          type="search"
          size="large"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return;
            event.preventDefault();
            event.stopPropagation();
            setText('');
          }}
        />
      </div>
      <div className={styles.panes}>
        {recent.length > 0 && <RecentTargets paths={recent} onPick={(path) => void show(path)} />}
        {text.trim() === '' ? (
          <FolderTreeView
            tree={tree}
            picked={picked}
            onPick={(path) => {
              setPicked(path);
              setNaming(false);
            }}
            onConfirm={confirm}
            isClosed={isClosed}
            current={transfer === 'move' || transfer === 'copy' ? current : null}
            focusRequests={focusRequests}
            newFolder={
              isNaming
                ? {
                    parent: picked,
                    row: (
                      <NewFolderRow
                        key={picked}
                        folder={picked}
                        onCancel={() => {
                          setNaming(false);
                          focusTree();
                        }}
                        onCreated={(path) => {
                          setNaming(false);
                          void tree.reload(parentOf(path)).then(() => show(path));
                        }}
                      />
                    ),
                  }
                : null
            }
          />
        ) : (
          <FolderFinder paths={found} text={text} isClosed={isClosed} onPick={(path) => void show(path)} />
        )}
      </div>
    </Dialog>
  );
}

/** Opens the tree on the last target, if it still exists, otherwise on `start`. */
function useInitialFolder(
  { reveal, expand }: FolderTree,
  start: VirtualPath,
  lastTarget: VirtualPath | undefined,
  pick: (path: VirtualPath) => void,
): void {
  const opening = useRef({ start, lastTarget, pick });
  useEffect(() => {
    const { start: from, lastTarget: last, pick: pickFolder } = opening.current;
    let isCurrent = true;
    const open = async () => {
      const isThere = last !== undefined && (await reveal(last));
      if (last !== undefined && !isThere) forgetTarget(last);
      await reveal(from);
      if (!isCurrent) return;
      if (isThere && last !== undefined) pickFolder(last);
      expand(isThere && last !== undefined ? last : from);
    };
    void open();
    return () => {
      isCurrent = false;
    };
  }, [reveal, expand]);
}

/** The folders to which the user has moved or copied lately. */
function RecentTargets({
  paths,
  onPick,
}: {
  paths: readonly VirtualPath[];
  onPick: (path: VirtualPath) => void;
}) {
  const { t } = useTranslation('files');
  return (
    <nav className={styles.places} aria-label={t('transfer.recent')}>
      <h3 className={styles.placesTitle}>{t('transfer.recent')}</h3>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <button
              type="button"
              className={styles.place}
              title={path}
              aria-label={t('transfer.recentNamed', { folder: nameOfFolder(path, t('root')) })}
              onClick={() => onPick(path)}
            >
              <FileIcon kind="folder" />
              <bdi className={styles.name}>{nameOfFolder(path, t('root'))}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const nameOfFolder = (path: VirtualPath, root: string): string =>
  path === rootPath ? root : displayName(nameOf(path));

/** The path of the picked folder, as "to Files / Documents". */
function Place({ path }: { path: VirtualPath }) {
  const { t } = useTranslation('files');
  const steps = [t('root'), ...path.split('/').filter((name) => name !== '')].map(displayName);
  return (
    <>
      {t('transfer.to')} <bdi>{steps.slice(0, -1).map((step) => `${step} / `)}</bdi>
      <bdi className={styles.last}>{steps.at(-1)}</bdi>
    </>
  );
}
