import type { Version } from '@filestead/contract/endpoints/versions';
import { parentOf } from '@filestead/contract/paths/virtual-path';
import { announceChange } from '../../features/files/entries/changes.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import { toastFailure } from '../../features/files/feedback/toasts.ts';
import { toastWithUndo } from '../../features/files/feedback/undo.ts';
import { restoreVersion } from '../../features/versions/restore-version.ts';
import { versionsText } from '../../features/versions/version-texts.ts';
import type { VersionsHost } from '../../features/versions/versions-host.ts';

/** Reports changes of versions to the shown folder, and to the user. */
export const versionChanges: Pick<VersionsHost, 'announceChange' | 'notifyWithUndo'> = {
  announceChange: (path) => announceChange({ folders: [parentOf(path)] }),
  notifyWithUndo: toastWithUndo,
};

/** Replaces a file with one of its versions from outside their dialog, and reports the result. The details have loaded the texts. */
export async function restoreFromDetails(entry: FileEntry, version: Version): Promise<void> {
  try {
    await restoreVersion(entry, version, versionChanges);
  } catch (error) {
    toastFailure(versionsText('failed.restore'), error);
  }
}
