import { nameOf, parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { closeToast } from '../../../ui/feedback/toast.ts';
import {
  emptyClipboard,
  fillClipboard,
  pasteKind,
  readClipboard,
  type Clipboard,
} from '../clipboard/clipboard.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { filesText } from '../feedback/files-text.ts';
import { toastDone } from '../feedback/toasts.ts';
import type { FileEntry } from '../entries/entry.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { openPrompt } from '../prompts/prompt-store.ts';
import type { TransferKind } from '../transfers/plan-transfer.ts';
import type { FolderHost } from '../folder/folder-host.ts';
import { transferEntries } from './lazy-changes.ts';
import type { ShowResult, TransferPermissions } from '../transfers/transfer-entries.ts';
import type { ActionTargets } from './action.ts';

/** Asks for the destination of the selected entries, and copies or moves them there. */
export function transferSelected(transfer: TransferKind, targets: () => ActionTargets): void {
  const { session, host } = targets();
  transferInDialog(transfer, session.selectedEntries(), { session, host }, (results) =>
    showDestination(targets(), session, results),
  );
}

/** Asks for the destination of entries, copies or moves them there, and passes the results to `onDone`. */
export function transferInDialog(
  transfer: TransferKind,
  entries: readonly FileEntry[],
  { session, host }: Pick<ActionTargets, 'session' | 'host'>,
  onDone: (results: readonly VirtualPath[]) => void,
): void {
  if (entries.length === 0) return;
  openPrompt({
    kind: 'destination',
    transfer,
    entries,
    start: session.path,
    canCreate: host.user.perm.create,
    onChosen: (destination) =>
      void transferEntries(
        { kind: transfer, entries, destination },
        host.user.perm,
        resultShower(host, session.path, destination),
      ).then(onDone),
  });
}

/** Returns the function that shows a result in `destination`; undefined if that folder is already shown. */
export const resultShower = (
  host: Pick<FolderHost, 'openFolder'>,
  shown: VirtualPath,
  destination: VirtualPath,
): ShowResult | undefined =>
  shown === destination ? undefined : (entry) => host.openFolder(parentOf(entry), nameOf(entry));

/** Opens the destination of a copy or move for users who chose that, unless they have left the folder meanwhile. */
export function showDestination(
  { session, host }: Pick<ActionTargets, 'session' | 'host'>,
  from: FolderSession,
  results: readonly VirtualPath[],
): void {
  const [first] = results;
  if (first === undefined || session !== from || parentOf(first) === from.path) return;
  if (host.user.redirectAfterCopyMove) host.openFolder(parentOf(first), nameOf(first));
}

/** The notice that names the content of the clipboard; closed once it is pasted. */
let clipboardToast = 0;

/** Puts entries into the page’s clipboard and confirms it. */
export function setClipboard(clipboard: Clipboard): void {
  const [first] = clipboard.entries;
  if (!first) return;
  fillClipboard(clipboard);
  const isCut = clipboard.mode === 'cut';
  closeToast(clipboardToast);
  clipboardToast = toastDone(
    clipboard.entries.length === 1
      ? filesText(isCut ? 'done.cutOne' : 'done.clipboardOne', { name: isolateBidi(first.name) })
      : filesText(isCut ? 'done.cutMany' : 'done.clipboardMany', pluralValues(clipboard.entries.length)),
  );
}

/** Copies or moves the entries of the clipboard to `destination`. */
export function paste(destination: VirtualPath, permissions: TransferPermissions): void {
  const clipboard = readClipboard();
  if (!clipboard) return;
  closeToast(clipboardToast);
  const kind = pasteKind(clipboard, destination);
  if (kind === null) {
    emptyClipboard();
    toastDone(filesText('done.nothingToMove'));
    return;
  }
  // Entries that were moved leave the clipboard; those that could not be moved remain, so that the user can try again.
  void transferEntries({ kind, entries: clipboard.entries, destination }, permissions);
}
