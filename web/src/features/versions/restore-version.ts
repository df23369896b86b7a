import { restoreVersion as endpoint, type Version } from '@filestead/contract/endpoints/versions';
import { send } from '../../api/call.ts';
import { reportOperation } from '../../api/operation-header.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { timeText, versionsText, writtenAt } from './version-texts.ts';
import type { VersionedFile, VersionsHost } from './versions-host.ts';

/**
 * Replaces a file with one of its versions, and notifies with an undo button, which undoes the operation of the server. Throws the
 * errors of {@link send}.
 */
export async function restoreVersion(
  { path, name }: Pick<VersionedFile, 'path' | 'name'>,
  version: Version,
  { announceChange, notifyWithUndo }: Pick<VersionsHost, 'announceChange' | 'notifyWithUndo'>,
): Promise<void> {
  const operations: string[] = [];
  reportOperation(await send(endpoint, { body: { id: version.id } }), (operation) =>
    operations.push(operation),
  );
  announceChange(path);
  const time = timeText(writtenAt(version), Date.now());
  notifyWithUndo(versionsText('done.restored', { name: isolateBidi(name), time }), operations);
}
