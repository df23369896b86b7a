import type { PermissionName, Permissions } from '@filestead/contract/values/permissions';
import type { JobRequest, RequestedJobKind } from '@filestead/contract/jobs';
import {
  nameOf,
  parsePath,
  type RequestedPath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { archiveFormatNamed, archiveFormatOfName } from '@filestead/contract/values/archive-formats';
import { AppError } from '../errors.ts';
import { Yielder } from '../scheduling/event-loop.ts';
import type { CompressTarget } from './compress-target.ts';

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
  extract: 'create',
  compress: 'create',
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
  const readsContent = kind === 'extract' || kind === 'compress';
  if (readsContent && !can.download) throw new AppError('forbidden');
  if (request.permanent === true && kind === 'delete' && !can.purge) throw new AppError('forbidden');
  if (kind === 'duplicates' && request.items.length > 1)
    throw new AppError('bad_request', 'body.items: must be one folder');
  const hasDestination = kind === 'copy' || kind === 'move' || kind === 'extract';
  const planned: PlannedItem[] = [];
  const yielder = new Yielder();
  for (const [index, { from, to, overwrite = false, rename = false }] of request.items.entries()) {
    const field = `body.items.${index}`;
    if (hasDestination && to === undefined)
      throw new AppError('bad_request', `${field}.to: is required to ${kind}`);
    if (hasDestination && kind !== 'extract' && overwrite && !can.modify) throw new AppError('forbidden');
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

/**
 * Parses the archive that a compression creates. Throws `bad_request` when it is missing or its name does not have the
 * extension of the format, `invalid_path`, `unsupported_archive_format`.
 */
export function planArchiveTarget({ to, format: formatName, rename = false }: JobRequest): CompressTarget {
  if (to === undefined) throw new AppError('bad_request', 'body.to: is required to compress');
  const { path } = parseAbsolute(to, 'body.to');
  const format = archiveFormatNamed(formatName);
  if (format === null) throw new AppError('unsupported_archive_format');
  if (archiveFormatOfName(nameOf(path)) !== format)
    throw new AppError('bad_request', 'body.to: must end with the extension of the format');
  return { to: path, format, picksFreeName: rename };
}
