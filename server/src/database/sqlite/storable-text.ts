import { AppError } from '../../errors.ts';

/**
 * Throws `bad_request` for text that a database would change: SQLite truncates it at a NUL, so that
 * `alice\0x` finds `alice`; PostgreSQL rejects a NUL; and both replace or reject lone surrogates. Called for
 * every value bound to a statement.
 */
export function assertStorableText(text: string): void {
  if (text.includes('\0')) {
    throw new AppError('bad_request', 'the text contains a NUL character; remove it');
  }
  if (!text.isWellFormed()) {
    throw new AppError('bad_request', 'the text contains an invalid character (a lone surrogate); remove it');
  }
}
