import type { PermissionName, Permissions } from '@filestead/contract/values/permissions';
import type { JobRequest, RequestedJobKind } from '@filestead/contract/jobs';
import { parsePath, type RequestedPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../errors.ts';
import { Yielder } from '../scheduling/event-loop.ts';

/** One parsed item of a job's request. */
export interface PlannedItem {
  /** The position in the request. */
  readonly index: number;
  readonly from: RequestedPath;
  /** Null for jobs without a destination. */
  readonly to: VirtualPath | null;
  readonly overwrite: boolean;
  /** Whether to use the next free name when the destination exists. Takes precedence over `overwrite`. */
  readonly picksFreeName: boolean;
  /** The id of the deleted entry that a restoration restores. */
  readonly trashItem?: string;
  /** The logged step that the item undoes. */
  readonly step?: number;
}

/** The permission that each kind of job requires; the immediate requests for the same action require it, too. */
const permissionOf = {
  copy: 'create',
  move: 'rename',
  delete: 'delete',
  checksum: 'download',
  duplicates: 'download',
} as const satisfies Record<RequestedJobKind, PermissionName>;

function parseAbsolute(text: string, field: string): RequestedPath {
  if (!text.startsWith('/')) throw new AppError('bad_request', `${field}: must begin with a slash`);
  return parsePath(text);
}

/**
 * Parses the items of a request; one invalid item rejects the whole request. Throws `bad_request`, `invalid_path`, and
 * `forbidden` when the user lacks the permission. The storage checks permissions again for every item.
 */
export async function planItems(request: JobRequest, can: Permissions): Promise<PlannedItem[]> {
  const { kind } = request;
  if (!can[permissionOf[kind]]) throw new AppError('forbidden');
  if (request.permanent === true && kind === 'delete' && !can.purge) throw new AppError('forbidden');
  if (kind === 'duplicates' && request.items.length > 1)
    throw new AppError('bad_request', 'body.items: must be one folder');
  const hasDestination = kind === 'copy' || kind === 'move';
  const planned: PlannedItem[] = [];
  const yielder = new Yielder();
  for (const [index, { from, to, overwrite = false, rename = false }] of request.items.entries()) {
    const field = `body.items.${index}`;
    if (hasDestination && to === undefined)
      throw new AppError('bad_request', `${field}.to: is required to ${kind}`);
    if (hasDestination && overwrite && !can.modify) throw new AppError('forbidden');
    planned.push({
      index,
      from: parseAbsolute(from, `${field}.from`),
      to: hasDestination && to !== undefined ? parseAbsolute(to, `${field}.to`).path : null,
      overwrite,
      picksFreeName: rename,
    });
    if (yielder.isDue()) await yielder.yield();
  }
  return planned;
}
