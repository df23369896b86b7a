import { AppError } from '../../errors.ts';

/**
 * Throws `bad_request` for text that a database would not keep or compare as it is: SQLite ends it at a NUL, so that
 * `alice\0x` finds `alice`, PostgreSQL refuses a NUL, and both replace or refuse lone surrogates. Every value bound to a
 * statement passes here.
 */
export function assertStorableText(text: string): void {
  if (text.includes('\0')) {
    throw new AppError('bad_request', 'the text contains a NUL character; remove it');
  }
  if (!text.isWellFormed()) {
    throw new AppError('bad_request', 'the text contains a broken character (a lone surrogate); remove it');
  }
}
