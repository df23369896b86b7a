import { pageConfig } from '../../../api/page-config.ts';
import { i18n, loadTexts } from '../../../i18n/i18n.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { shortcutLabel } from '../../../ui/keyboard/shortcut.ts';
import type { FileEntry } from '../entries/entry.ts';
import { removeEntries } from './lazy-changes.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import { openPrompt } from '../prompts/prompt-store.ts';
import type { ActionTargets } from './action.ts';

/**
 * Deletes the selected entries. Asks first if that is permanent: on request, or because the server keeps no deleted entries. Without
 * the permission to delete forever, a request to do so is refused with a message.
 */
export function removeSelected(targets: () => ActionTargets, isPermanent: boolean): void {
  const { session, host } = targets();
  const entries = session.selectedEntries();
  if (entries.length === 0) return;
  if (isPermanent && !host.user.perm.purge) {
    void tellDenied();
    return;
  }
  const remove = () => void removeAndMoveOn(targets, session, entries, isPermanent);
  if (pageConfig.EnableTrash && !isPermanent) remove();
  else openPrompt({ kind: 'remove', entries, onConfirm: remove });
}

async function tellDenied(): Promise<void> {
  await loadTexts('trash');
  showToast({ tone: 'info', message: i18n.t('mayNotPurge', { ns: 'trash', key: shortcutLabel('Delete') }) });
}

/** Deletes entries and selects the next one, which also has the focus, unless the user has moved on. */
async function removeAndMoveOn(
  targets: () => ActionTargets,
  session: FolderSession,
  entries: readonly FileEntry[],
  isPermanent: boolean,
): Promise<void> {
  const { host } = targets();
  const removed = await removeEntries(entries, { isPermanent, canPurge: host.user.perm.purge });
  const { model } = session;
  const isUnchanged = targets().session === session && model.selectedCount === 0;
  // On touch screens a selection would cover the navigation with the bar of its actions.
  if (removed.length > 0 && isUnchanged && model.cursor !== null && !host.isPhone) {
    model.selectOnly(model.cursor);
  }
}
