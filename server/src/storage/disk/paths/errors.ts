import { AppError } from '../../../errors.ts';
import { type ErrorCode, deniedBySystem, isErrorCode, readOnlyDisk } from '@filestead/contract/errors';

const codes: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ['ENOENT', 'not_found'],
  ['ENOTDIR', 'not_a_folder'],
  ['EISDIR', 'is_folder'],
  ['EEXIST', 'already_exists'],
  ['ENOTEMPTY', 'folder_not_empty'],
  ['EACCES', 'forbidden'],
  ['EPERM', 'forbidden'],
  ['EROFS', 'forbidden'],
  ['ELOOP', 'external_link'],
  ['ENXIO', 'special_file'],
  ['ENODEV', 'special_file'],
  ['ENOSPC', 'storage_full'],
  ['EDQUOT', 'storage_full'],
  ['EFBIG', 'payload_too_large'],
  ['ENAMETOOLONG', 'invalid_path'],
  ['EILSEQ', 'invalid_path'],
  ['EMFILE', 'busy'],
  ['ENFILE', 'busy'],
  // Linux reports it when a mount point is renamed or removed.
  ...(process.platform === 'linux' ? ([['EBUSY', 'holds_mount']] as const) : []),
]);

/** Details that are sent to clients with the code. */
const details: ReadonlyMap<string, string> = new Map([
  ['EACCES', deniedBySystem],
  ['EPERM', deniedBySystem],
  ['EROFS', readOnlyDisk],
  ['EILSEQ', 'this file system only accepts names in UTF-8'],
  ['EMFILE', 'the server has reached its limit of open files'],
  ['ENFILE', 'the machine has reached its limit of open files'],
]);

/** Translates an error of the operating system to the codes of the contract. Other errors are returned unchanged. */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('code' in error)) return error;
  const name = typeof error.code === 'string' ? error.code : '';
  const code = codes.get(name);
  return code === undefined ? error : new AppError(code, details.get(name), { cause: error });
}

/** Returns the parts of an error that a worker sends, see {@link errorFromWorker}. */
export const sendableError = (
  error: unknown,
): { readonly code: string | undefined; readonly message: string } => ({
  code: error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined,
  message: error instanceof Error ? error.message : String(error),
});

/** Recreates the error of a worker from its code and message, the only parts that are sent between threads. */
export function errorFromWorker(code: string | undefined, message: string): unknown {
  if (isErrorCode(code)) return new AppError(code);
  return toAppError(Object.assign(new Error(message), code === undefined ? {} : { code }));
}

/** Awaits `work` and translates its error. */
export async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toAppError(error);
  }
}
