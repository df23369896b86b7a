import { childOf, parentOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { RestoreRequest, RestoreResult, TrashItem } from '@filestead/contract/endpoints/trash';
import { errorStatus } from '@filestead/contract/errors';
import { ApiError } from '../../../api/call.ts';
import { folderName } from '../../../i18n/folder-name.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import type { TrashHost } from '../trash-host.ts';
import { trashText } from '../trash-texts.ts';
import type { RestoreTargets, TrashTargets } from '../trash-targets.ts';

/** Restores the selected items to their places. Asks when a single one was in a folder that is in the trash too. */
export function restoreHere(targets: TrashTargets): void {
  const items = targets.model.selectedItems();
  const [only] = items;
  if (items.length === 1 && only && only.parentInTrash !== null)
    targets.askParent({ item: only, parentId: only.parentInTrash });
  else void restoreItems(items, null, targets);
}

/** Asks for a folder and restores the selected items into it. */
export function restoreTo(targets: TrashTargets): void {
  const items = targets.model.selectedItems();
  if (items.length === 0) return;
  targets.host.chooseFolder(items, (folder) => void restoreItems(items, folder, targets));
}

/** Returns the path at which an item is restored if its name is not taken. */
const targetOf = (item: TrashItem, folder: VirtualPath | null): VirtualPath =>
  folder === null ? parsePath(item.path).path : childOf(folder, item.name);

/**
 * Restores items to their places, or into `folder`. Nothing is replaced without asking: items whose name is taken are
 * skipped first, and restored as the user chooses. Reports the result and returns the number of restored items; throws
 * nothing.
 */
export async function restoreItems(
  items: readonly TrashItem[],
  folder: VirtualPath | null,
  { model, host }: RestoreTargets,
): Promise<number> {
  const restored: VirtualPath[] = [];
  const shares: string[] = [];
  const failed: unknown[] = [];
  const byId = new Map(items.map((item) => [item.id, item]));
  const restore = async (
    part: readonly TrashItem[],
    conflict: RestoreRequest['conflict'],
  ): Promise<TrashItem[]> => {
    if (part.length === 0) return [];
    const request = {
      ids: part.map(({ id }) => id),
      conflict,
      ...(folder !== null && { to: folder }),
    };
    const taken: TrashItem[] = [];
    const leaving = new Set<string>();
    for (const result of await host.restore(request, part)) {
      const item = byId.get(result.id);
      if ('path' in result) {
        restored.push(parsePath(result.path).path);
        shares.push(...(result.links ?? []));
        leaving.add(result.id);
      } else if (result.error === 'already_exists' && conflict === 'skip' && item) taken.push(item);
      else {
        // It was restored or deleted by someone else.
        if (result.error === 'not_found') leaving.add(result.id);
        failed.push(errorOf(result));
      }
    }
    model.remove(leaving);
    return taken;
  };
  try {
    const taken = await restore(items, 'skip');
    const choices = await askConflicts(taken, folder, host);
    await restore(choices.keepBoth, 'rename');
    await restore(choices.replace, 'replace');
  } catch (error) {
    // The connection may have broken after the server began.
    failed.push(...Array.from({ length: items.length - restored.length }, () => error));
    void model.reload();
  }
  report(items, { restored, shares, failed }, host);
  return restored.length;
}

const errorOf = ({ error }: Extract<RestoreResult, { error: unknown }>): ApiError =>
  new ApiError(errorStatus[error], error);

/** Asks about each item whose name is taken, until the user gives an answer for the remaining ones or cancels. */
async function askConflicts(
  taken: readonly TrashItem[],
  folder: VirtualPath | null,
  host: TrashHost,
): Promise<{ keepBoth: TrashItem[]; replace: TrashItem[] }> {
  const chosen = { keepBoth: [] as TrashItem[], replace: [] as TrashItem[] };
  const add = (choice: string, part: readonly TrashItem[]) => {
    if (choice === 'keep_both') chosen.keepBoth.push(...part);
    else if (choice === 'replace' || choice === 'merge') chosen.replace.push(...part);
  };
  for (const [index, item] of taken.entries()) {
    const remaining = taken.length - index - 1;
    const { choice, forRemaining } = await host.askConflict(
      { item, path: targetOf(item, folder) },
      remaining,
    );
    if (choice === 'cancel') break;
    add(choice, forRemaining ? taken.slice(index) : [item]);
    if (forRemaining) break;
  }
  return chosen;
}

interface Outcome {
  readonly restored: readonly VirtualPath[];
  /** The hashes of the user's shares that work again. */
  readonly shares: readonly string[];
  readonly failed: readonly unknown[];
}

function report(items: readonly TrashItem[], { restored, shares, failed }: Outcome, host: TrashHost): void {
  const [item] = items;
  const [first] = restored;
  if (first !== undefined) {
    const message =
      restored.length === 1
        ? trashText('restoredOne', {
            name: isolateBidi(first.slice(first.lastIndexOf('/') + 1)),
            folder: folderName(parentOf(first)),
          })
        : trashText('restoredMany', pluralValues(restored.length));
    const action = { label: trashText('show'), onAction: () => host.reveal(first) };
    const sharesText =
      shares.length === 0 ? '' : ` · ${trashText('linksActive', pluralValues(shares.length))}`;
    const endShares = { label: trashText('endLinks'), onAction: () => void host.endShares(shares) };
    showToast({
      tone: 'success',
      message: `${message}${sharesText}`,
      action,
      ...(shares.length > 0 && host.user.perm.share && { secondAction: endShares }),
    });
  }
  if (failed.length > 0 && item) {
    const summary =
      items.length === 1
        ? trashText('notRestoredOne', { name: isolateBidi(item.name) })
        : trashText('notRestoredMany', {
            ...pluralValues(failed.length),
            total: pluralValues(items.length).number,
          });
    showToast({ tone: 'error', message: `${summary} ${host.reasonOf(failed[0])}` });
  }
}
