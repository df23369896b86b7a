import type { PermissionName, Permissions } from '@filestead/contract/values/permissions';
import type { JobKind, JobRequest } from '@filestead/contract/jobs';
import { parsePath, type RequestedPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import { Yielder } from '../scheduling/event-loop.ts';

/** One entry of a job's selection, parsed. */
export interface PlannedItem {
  /** The position in the request. */
  readonly index: number;
  readonly from: RequestedPath;
  /** Null for jobs that lead nowhere. */
  readonly to: VirtualPath | null;
  readonly overwrite: boolean;
  /** Take the next free name when the destination exists. Goes before `overwrite`. */
  readonly picksFreeName: boolean;
}

/** What each kind of job takes, as for the calls that do the same at once. */
const permissionOf = {
  copy: 'create',
  move: 'rename',
  delete: 'delete',
  checksum: 'download',
} as const satisfies Record<JobKind, PermissionName>;

function parseAbsolute(text: string, place: string): RequestedPath {
  if (!text.startsWith('/')) throw new AppError('bad_request', `${place}: has to begin with a slash`);
  return parsePath(text);
}

/**
 * Reads the selection of a request, whole or not at all. Throws `bad_request`, `invalid_path`, and `forbidden` when the user
 * lacks what the job takes; the storage asks again for every item.
 */
export async function planItems(request: JobRequest, can: Permissions): Promise<PlannedItem[]> {
  const { kind } = request;
  if (!can[permissionOf[kind]]) throw new AppError('forbidden');
  const leads = kind === 'copy' || kind === 'move';
  const planned: PlannedItem[] = [];
  const yielder = new Yielder();
  for (const [index, { from, to, overwrite = false, rename = false }] of request.items.entries()) {
    const place = `body.items.${index}`;
    if (leads && to === undefined) throw new AppError('bad_request', `${place}.to: is needed to ${kind}`);
    if (leads && overwrite && !can.modify) throw new AppError('forbidden');
    planned.push({
      index,
      from: parseAbsolute(from, `${place}.from`),
      to: leads && to !== undefined ? parseAbsolute(to, `${place}.to`).path : null,
      overwrite,
      picksFreeName: rename,
    });
    if (yielder.isDue()) await yielder.yield();
  }
  return planned;
}
