import { getResource } from '@filestead/contract/files';
import { nameOf, parentOf, rootPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { deleteShare } from '@filestead/contract/shares';
import { useMemo } from 'react';
import { useNavigate } from '../../ui/navigation/router.tsx';
import { call } from '../../api/call.ts';
import { pageConfig } from '../../api/page-config.ts';
import { requestRestore } from '../../features/files/entries/restore-kept.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import { redoLast, toastWithUndo, undoLast } from '../../features/files/feedback/undo.ts';
import { askConflict, openPrompt } from '../../features/files/prompts/prompt-store.ts';
import type { ConflictChoice, ConflictSide } from '../../ui/conflicts/conflict.ts';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { trashText } from '../../features/trash/trash-texts.ts';
import { pluralValues } from '../../i18n/format.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import type { RestoreChoice, RestoreConflict, TrashHost } from '../../features/trash/trash-host.ts';
import { useIsPhone } from '../../ui/hooks/use-media-query.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { trashAddress } from './trash-address.ts';

/** The history state of a file that was opened from the list or folder behind it. */
export const openedFromList = { isFromList: true };

/** Returns the functions of the application that the trash uses. */
export function useTrashHost(): TrashHost {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      user,
      isPhone,
      keptDays: pageConfig.TrashDays,
      open: ({ id, isDir, type }) => {
        if (isDir) void navigate(trashAddress(id, true));
        else if (type !== 'invalid_link') void navigate(trashAddress(id, false), { state: openedFromList });
      },
      reveal: (path) => void navigate(fileAddress(parentOf(path), true), { state: { reveal: nameOf(path) } }),
      restore: (request, items) => requestRestore(request, items.length === 1 ? (items[0]?.name ?? '') : ''),
      endShares,
      chooseFolder: (items, onChosen) =>
        openPrompt({
          kind: 'destination',
          transfer: 'restore',
          entries: [],
          names: items.map(({ name }) => name),
          start: rootPath,
          canCreate: user.perm.create,
          onChosen,
        }),
      askConflict: (conflict, remaining) => ask(conflict, remaining, user.perm.modify),
      notifyWithUndo: toastWithUndo,
      reasonOf: transferFailureReason,
      undo: undoLast,
      redo: redoLast,
    }),
    [user, isPhone, navigate],
  );
}

/** Deletes shares that work again after a restoration. */
async function endShares(hashes: readonly string[]): Promise<void> {
  try {
    for (const hash of hashes) await call(deleteShare, { params: { hash } });
    showToast({ tone: 'success', message: trashText('linksEnded', pluralValues(hashes.length)) });
  } catch (error) {
    showToast({ tone: 'error', message: `${trashText('linksNotEnded')} ${transferFailureReason(error)}` });
  }
}

/** Shows both sides of a conflict and resolves with the user's choice. Folders are merged, and files replaced by files. */
async function ask({ item, path }: RestoreConflict, remaining: number, canModify: boolean) {
  const existing = await sideAt(path);
  const isSameKind = item.isDir === existing.isFolder && existing.modifiedMs !== null;
  const { choice, forRemaining } = await askConflict(
    {
      path,
      incoming: sideOf(item),
      existing,
      choices: choicesFor(item.isDir, canModify && isSameKind),
    },
    remaining,
  );
  return { choice: choice as RestoreChoice, forRemaining };
}

/** Returns the choices for a deleted folder or file; with `canOverwrite` the entry at its place can be merged with it or replaced. */
function choicesFor(isFolder: boolean, canOverwrite: boolean): readonly Exclude<ConflictChoice, 'cancel'>[] {
  if (!canOverwrite) return ['keep_both', 'skip'];
  return isFolder ? ['merge', 'keep_both', 'skip'] : ['keep_both', 'replace', 'skip'];
}

const sideOf = ({ isDir, size, modified }: Pick<TrashItem, 'isDir' | 'size' | 'modified'>): ConflictSide => ({
  isFolder: isDir,
  size,
  modifiedMs: Date.parse(modified),
});

/** Returns the metadata of an existing entry; unknown if the user may not see it. */
async function sideAt(path: VirtualPath): Promise<ConflictSide> {
  try {
    return sideOf(await call(getResource, { path }));
  } catch {
    return { isFolder: false, size: null, modifiedMs: null };
  }
}
