import { AppError } from '../../errors.ts';

/** Result codes of SQLite for failures of the disk or the file (SQLite, rescode). */
const failuresByCode = {
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'broken',
  11: 'damaged',
  13: 'full',
  14: 'broken',
  26: 'damaged',
} as const;

/** A failure of the disk, the file or its locks, independent of the statement. */
type DiskFailure = (typeof failuresByCode)[keyof typeof failuresByCode];

/** SQLite's message for a damaged file. */
export const damageText = 'database disk image is malformed';

/** The same by SQLite's messages (sqlite3_errstr), for errors without a number. */
const failuresByText: readonly (readonly [string, DiskFailure])[] = [
  ['database is locked', 'busy'],
  ['attempt to write a readonly database', 'read_only'],
  ['disk I/O error', 'broken'],
  ['unable to open database file', 'broken'],
  [damageText, 'damaged'],
  ['file is not a database', 'damaged'],
  ['database or disk is full', 'full'],
];

/** Returns the kind of disk or file failure that `error` reports; null for other errors. */
export function diskFailureOf(error: unknown): DiskFailure | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && typeof error.errcode === 'number') {
    // The lowest byte is the primary result code; the others refine it.
    const code = error.errcode & 0xff;
    return code in failuresByCode ? failuresByCode[code as keyof typeof failuresByCode] : null;
  }
  return failuresByText.find(([text]) => error.message.includes(text))?.[1] ?? null;
}

const explanations: Readonly<Record<Exclude<DiskFailure, 'full'>, string>> = {
  busy: 'the database is in use by another program; try again',
  read_only: 'the disk of the database is read-only',
  broken: 'the disk of the database does not respond',
  damaged: 'the database is damaged; an administrator has to restore it',
};

/** Converts a database failure to an error that a client may see; returns other errors unchanged. */
export function presentDiskFailure(error: unknown, isDiskFull: () => boolean): unknown {
  const failure = diskFailureOf(error);
  if (failure === null) return error;
  // On a full disk the index of the write-ahead log cannot grow either, which SQLite reports as an I/O error.
  if (failure === 'full' || (failure === 'broken' && isDiskFull())) {
    return new AppError('storage_full', 'the disk of the database is full', { cause: error });
  }
  return new AppError('database_unavailable', explanations[failure], { cause: error });
}
