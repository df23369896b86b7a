import type { Operation, OperationChange } from '@filestead/contract/endpoints/operations';
import { nameOf, parentOf, virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { folderName } from '../../i18n/folder-name.ts';
import { formatDay, formatTime, pluralValues } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';

/** Translates texts of the `history` namespace outside components. */
export const historyText = i18n.translatorOf('history');

const nameIn = (path: VirtualPath): string => isolateBidi(nameOf(path));

/** Whether a change has only renamed one entry. */
export function isRename({ kind, total, path, from }: OperationChange): boolean {
  if (kind !== 'move' || total !== 1 || from === null) return false;
  return parentOf(virtualPath(path)) === parentOf(virtualPath(from));
}

/** Whether an operation has repeated a change: it has undone an undo. */
export const isRedo = ({ kind, undoes }: Pick<Operation, 'kind' | 'undoes'>): boolean =>
  kind === 'undo' && undoes === 'undo';

/** Returns the time of a version within a sentence: "27 Nov, 14:02". */
const versionTime = (atMs: number): string =>
  historyText('dayAndTime', { day: formatDay(atMs), time: formatTime(atMs) });

/** Returns the description of an operation, such as “Moved 3 items from Camera to Documents”. */
export function operationText(operation: Operation): string {
  const { kind, total, original } = operation;
  if (kind !== 'undo') return changeText(operation);
  const values = { ...pluralValues(total), name: nameIn(virtualPath(operation.path)) };
  // The original change was removed from the log, or the user may not see its entry any more.
  if (original === null) {
    if (isRedo(operation)) return historyText(total === 1 ? 'did.redoOne' : 'did.redoMany', values);
    return historyText(total === 1 ? 'did.undoOne' : 'did.undoMany', values);
  }
  return historyText(isRedo(operation) ? 'did.redo' : 'did.undo', { change: changeText(original) });
}

function changeText(change: OperationChange): string {
  const { kind, total, versionAt } = change;
  const path = virtualPath(change.path);
  const from = change.from === null ? null : virtualPath(change.from);
  const values = {
    ...pluralValues(total),
    name: nameIn(path),
    folder: folderName(parentOf(path)),
    source: from === null ? '' : folderName(parentOf(from)),
    former: from === null ? '' : nameIn(from),
  };
  if (versionAt !== null && (kind === 'restore' || kind === 'copy' || kind === 'purge'))
    return historyText(`did.${kind}Version`, { name: values.name, time: versionTime(Date.parse(versionAt)) });
  if (kind === 'unshare' || kind === 'reshare') return historyText(`did.${kind}`, { name: folderName(path) });
  if (isRename(change)) return historyText('did.rename', values);
  if (kind === 'move' && from === null)
    return historyText(total === 1 ? 'did.movedHereOne' : 'did.movedHereMany', values);
  return historyText(`did.${kind}${total === 1 ? 'One' : 'Many'}`, values);
}
