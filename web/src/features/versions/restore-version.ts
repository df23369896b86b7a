import { restoreVersion as endpoint, type Version } from '@filestead/contract/endpoints/versions';
import { call } from '../../api/call.ts';
import { displayName } from '../../i18n/display-name.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { timeText, versionsText, writtenAt } from './version-texts.ts';
import type { VersionedFile, VersionsHost } from './versions-host.ts';

/**
 * Replaces a file with one of its versions, and notifies with an undo button, which restores the replaced state. The undo does nothing
 * where the file did not exist. Throws the errors of {@link call}.
 */
export async function restoreVersion(
  { path, name }: Pick<VersionedFile, 'path' | 'name'>,
  version: Version,
  { announceChange, notifyWithUndo }: Pick<VersionsHost, 'announceChange' | 'notifyWithUndo'>,
): Promise<void> {
  const { replaced } = await call(endpoint, { body: { id: version.id } });
  announceChange(path);
  const time = timeText(writtenAt(version), Date.now());
  notifyWithUndo(versionsText('done.restored', { name: isolateBidi(displayName(name)), time }), async () => {
    if (replaced !== null) await call(endpoint, { body: { id: replaced } });
    announceChange(path);
  });
}
