import { ApiError } from '../../../api/call.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type texts from '../../../i18n/locales/en/files.json';

type Reason = keyof typeof texts.reasons;
const isReason = (code: string): code is Reason => i18n.exists(`reasons.${code}`, { ns: 'files' });

/** Something that this page itself refuses to do; the message is the sentence for the user. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A sentence that says why something failed and what to do about it, in the user's language. */
export function transferFailureReason(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  return reasonOfCode(error instanceof ApiError ? error.code : '');
}

/** The same for a code of the error table. */
export const reasonOfCode = (code: string): string =>
  code === 'not_signed_in'
    ? i18n.t('login.reasons.ended', { ns: 'app' })
    : i18n.t(`reasons.${isReason(code) ? code : 'other'}`, { ns: 'files' });

/** Whether no answer came, so that it is not known what has been done. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/** Whether the same thing may work in a moment: the connection, a session that has ended, or a server that is busy or in trouble. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (passing.has(error.status) || error.status >= 500);

/** No answer; nobody is signed in any more; too many requests. */
const passing: ReadonlySet<number> = new Set([0, 401, 429]);
