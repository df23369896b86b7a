import type { Operation } from '@filestead/contract/endpoints/operations';
import {
  nameOf,
  parentOf,
  segmentsOf,
  virtualPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { displayName } from '../../i18n/display-name.ts';
import { pluralValues } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';

/** Translates texts of the `history` namespace outside components. */
export const historyText = i18n.translatorOf('history');

const nameIn = (path: VirtualPath): string => isolateBidi(displayName(nameOf(path)));

/** Returns the name of a folder for use in a sentence. */
export const folderName = (path: VirtualPath): string =>
  path === '/' ? i18n.t('root', { ns: 'files' }) : nameIn(path);

/** Returns a path for reading: "Documents / House". */
export const placeText = (path: VirtualPath): string =>
  path === '/' ? i18n.t('root', { ns: 'files' }) : segmentsOf(path).map(displayName).join(' / ');

/** Whether an operation has only renamed one entry. */
export function isRename({ kind, total, path, from }: Operation): boolean {
  if (kind !== 'move' || total !== 1 || from === null) return false;
  return parentOf(virtualPath(path)) === parentOf(virtualPath(from));
}

/** Returns the description of an operation, such as “Moved 3 items from Camera to Documents”. */
export function operationText(operation: Operation): string {
  const { kind, total, undoes } = operation;
  const path = virtualPath(operation.path);
  const from = operation.from === null ? null : virtualPath(operation.from);
  const values = {
    ...pluralValues(total),
    name: nameIn(path),
    folder: folderName(parentOf(path)),
    source: from === null ? '' : folderName(parentOf(from)),
    former: from === null ? '' : nameIn(from),
  };
  if (kind === 'undo') {
    if (undoes === 'undo') return historyText(total === 1 ? 'did.redoOne' : 'did.redoMany', values);
    return historyText(total === 1 ? 'did.undoOne' : 'did.undoMany', values);
  }
  if (kind === 'unshare' || kind === 'reshare') return historyText(`did.${kind}`, { name: folderName(path) });
  if (isRename(operation)) return historyText('did.rename', values);
  if (kind === 'move' && from === null)
    return historyText(total === 1 ? 'did.movedHereOne' : 'did.movedHereMany', values);
  return historyText(`did.${kind}${total === 1 ? 'One' : 'Many'}`, values);
}
