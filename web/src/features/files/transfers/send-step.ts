import { moveResource } from '@filestead/contract/files';
import { encodePath, parseEncodedPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { send } from '../../../api/call.ts';
import { reportOperation } from '../../../api/operation-header.ts';
import type { TransferKind, TransferStep } from './plan-transfer.ts';

/** Sends one step and returns the new path of the entry. `onOperation` is called with the id of the operation. Throws `ApiError`. */
export async function sendStep(
  kind: TransferKind,
  { entry, to, mode }: TransferStep,
  onOperation?: (id: string) => void,
): Promise<VirtualPath> {
  const response = await send(moveResource, {
    path: entry.path,
    query: {
      action: kind === 'copy' ? 'copy' : 'rename',
      // The server decodes the destination once more after the query.
      destination: encodePath(to),
      override: mode === 'overwrite' ? 'true' : undefined,
      rename: mode === 'keep_both' ? 'true' : undefined,
    },
  });
  reportOperation(response, onOperation);
  const finalPath = response.headers.get('X-Final-Path');
  return finalPath === null ? to : parseEncodedPath(finalPath).path;
}
