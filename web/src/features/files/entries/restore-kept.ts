import {
  restoreTrash,
  type RestoreRequest,
  type RestoreResult,
  type RestoreResults,
} from '@filestead/contract/endpoints/trash';
import type { Job } from '@filestead/contract/jobs';
import { parentOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxTrashItems } from '@filestead/contract/values/limits';
import { jsonOf, send } from '../../../api/call.ts';
import { reportOperation } from '../../../api/operation-header.ts';
import { addOperations } from '../feedback/undo.ts';
import { followJob } from '../jobs/run-job.ts';
import { announceChange } from './changes.ts';

/** Returns the folders above `paths`: one that was deleted too may have been created again. */
function foldersAbove(paths: readonly VirtualPath[]): VirtualPath[] {
  const folders = new Set<VirtualPath>();
  for (const path of paths) {
    for (let folder = path; folder !== '/';) {
      folder = parentOf(folder);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/**
 * Restores deleted items and updates the shown folders. A job of many items is shown with `name`, the name of a single
 * item. Throws `ApiError`, `RefusedError`.
 */
export async function requestRestore(request: RestoreRequest, name: string): Promise<RestoreResult[]> {
  const results: RestoreResult[] = [];
  const operations: string[] = [];
  for (let first = 0; first < request.ids.length; first += maxTrashItems) {
    const ids = request.ids.slice(first, first + maxTrashItems);
    results.push(...(await restorePart({ ...request, ids }, name, (id) => operations.push(id))));
  }
  const restored = results.flatMap((result) => ('path' in result ? [parsePath(result.path).path] : []));
  announceChange({ folders: foldersAbove(restored), reveal: restored });
  if (restored.length > 0) addOperations(operations);
  return results;
}

async function restorePart(
  request: RestoreRequest,
  name: string,
  onOperation: (id: string) => void,
): Promise<RestoreResult[]> {
  const response = await send(restoreTrash, { body: request });
  const answer = await jsonOf(response);
  if (response.status !== 202) {
    reportOperation(response, onOperation);
    return (answer as RestoreResults).results;
  }
  onOperation((answer as Job).id);
  const { results } = await followJob(answer as Job, { name, destination: null });
  return results.flatMap(({ index, path, to, code, trashItem, links }): RestoreResult[] => {
    const id = trashItem ?? request.ids[index];
    if (id === undefined) return [];
    return code === undefined ? [{ id, path: to ?? path, ...(links && { links }) }] : [{ id, error: code }];
  });
}
