import { ApiError } from '../../api/call.ts';
import { i18n } from '../../i18n/i18n.ts';
import type texts from '../../i18n/locales/en/files.json';

type Reason = keyof typeof texts.reasons;
const isReason = (code: string): code is Reason => i18n.exists(`reasons.${code}`, { ns: 'files' });

/** Something that this page itself refuses to do; the message is the sentence for the user. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A sentence that says why something failed and what to do about it, in the user's language. */
export function reasonOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  return reasonOfCode(error instanceof ApiError ? error.code : '');
}

/** The same for a code of the error table. */
export const reasonOfCode = (code: string): string =>
  i18n.t(`reasons.${isReason(code) ? code : 'other'}`, { ns: 'files' });
