import { errorStatus } from '@filestead/contract/errors';
import {
  restoreTrash,
  type RestoreRequest,
  type RestoreResult,
  type RestoreResults,
} from '@filestead/contract/endpoints/trash';
import type { Job } from '@filestead/contract/jobs';
import { nameOf, parentOf, parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { maxTrashItems } from '@filestead/contract/values/limits';
import { ApiError, jsonOf, send } from '../../../api/call.ts';
import { pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { RefusedError } from '../feedback/failure.ts';
import { filesText } from '../feedback/toasts.ts';
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
  for (let first = 0; first < request.ids.length; first += maxTrashItems) {
    const ids = request.ids.slice(first, first + maxTrashItems);
    results.push(...(await restorePart({ ...request, ids }, name)));
  }
  const restored = results.flatMap((result) => ('path' in result ? [parsePath(result.path).path] : []));
  announceChange({ folders: foldersAbove(restored), reveal: restored });
  return results;
}

async function restorePart(request: RestoreRequest, name: string): Promise<RestoreResult[]> {
  const response = await send(restoreTrash, { body: request });
  const answer = await jsonOf(response);
  if (response.status !== 202) return (answer as RestoreResults).results;
  const { results } = await followJob(answer as Job, { name, destination: null });
  return results.flatMap(({ index, path, to, code, trashItem }): RestoreResult[] => {
    const id = trashItem ?? request.ids[index];
    if (id === undefined) return [];
    return code === undefined ? [{ id, path: to ?? path }] : [{ id, error: code }];
  });
}

/**
 * Brings entries back that were just moved to the trash; one whose name is taken meanwhile gets another name. Returns
 * the message that reports it. Throws `ApiError`, `RefusedError`.
 */
export async function restoreKept(ids: readonly string[], name: string): Promise<string> {
  const results = await requestRestore({ ids: [...ids], conflict: 'rename' }, name);
  const failed = results.flatMap((result) => ('error' in result ? [result.error] : []));
  const [code] = failed;
  if (code !== undefined) {
    if (results.length === 1) throw new ApiError(errorStatus[code], code);
    throw new RefusedError(
      filesText('failed.restoreMany', {
        ...pluralValues(failed.length),
        total: pluralValues(results.length).number,
      }),
    );
  }
  const [only] = results;
  return results.length === 1 && only && 'path' in only
    ? filesText('done.restoredOne', { name: isolateBidi(nameOf(parsePath(only.path).path)) })
    : filesText('done.restoredMany', pluralValues(results.length));
}
