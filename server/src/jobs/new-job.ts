import { randomBytes } from 'node:crypto';
import type { JobKind, JobRequest } from '@filestead/contract/jobs';
import type { UserContext } from '../access/user-context.ts';
import type { CompressTarget } from './compress-target.ts';
import type { RestoreTarget, StoredRequest } from './job-progress.ts';
import type { NewJob } from './job-record.ts';
import { planArchiveTarget, type PlannedItem, planItems } from './plan-items.ts';

/** The work of a job whose items are parsed. */
export interface PlannedJob {
  /** 128 random bits as base64url; by default a new one. */
  readonly id?: string | undefined;
  readonly kind: JobKind;
  readonly items: readonly PlannedItem[];
  /** Of checksums; sha256 by default. */
  readonly algorithm?: NewJob['algorithm'] | undefined;
  /** Whether a deletion removes forever; false by default. */
  readonly isPermanent?: boolean | undefined;
  /** Whether a deletion copies entries to the trash that cannot be moved there; false by default. */
  readonly copiesToTrash?: boolean | undefined;
  /** Whether a deletion removes nothing that the trash does not keep; false by default. */
  readonly isKeepingRequired?: boolean | undefined;
  /** Required for restorations. */
  readonly restoreTarget?: RestoreTarget | undefined;
  /** Required for compressions. */
  readonly compressTarget?: CompressTarget | null | undefined;
  /** The operation that the job undoes. */
  readonly undoes?: string | null | undefined;
}

/** Plans the job that a request asks for. Throws `bad_request`, `invalid_path`, `forbidden`. */
export async function planJob({ user }: UserContext, request: JobRequest): Promise<PlannedJob> {
  const items = await planItems(request, user.perm);
  const { kind, algorithm, permanent: isPermanent, copyToTrash: copiesToTrash } = request;
  const compressTarget = kind === 'compress' ? planArchiveTarget(request) : null;
  const isKeepingRequired = isPermanent === false;
  return { kind, algorithm, items, isPermanent, copiesToTrash, isKeepingRequired, compressTarget };
}

/** Returns the part of a planned job that is stored as its request. */
export function storedRequestOf(job: PlannedJob): StoredRequest {
  const {
    items,
    kind,
    algorithm = 'sha256',
    isPermanent = false,
    copiesToTrash = false,
    isKeepingRequired = false,
    restoreTarget = null,
    compressTarget = null,
    undoes = null,
  } = job;
  const folder = kind === 'duplicates' ? (items[0]?.from.path ?? null) : null;
  return {
    kind,
    algorithm,
    isPermanent,
    copiesToTrash,
    isKeepingRequired,
    restoreTarget,
    compressTarget,
    undoes,
    folder,
  };
}

/** Returns the properties of a new job of a user besides its request. */
export const newJobOf = (
  { user, sessionId }: UserContext,
  { id, items }: PlannedJob,
  createdAt: number,
): Omit<NewJob, keyof StoredRequest> => ({
  id: id ?? randomBytes(16).toString('base64url'),
  userId: user.id,
  sessionId,
  scope: user.scope,
  itemCount: items.length,
  createdAt,
});
