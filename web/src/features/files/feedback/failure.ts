import { ApiError } from '../../../api/call.ts';
import { exactCode } from '../../../api/exact-code.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type texts from '../../../i18n/locales/en/files.json';
import type jobTexts from '../../../i18n/locales/en/jobs.json';

type Reason = keyof typeof texts.reasons;
const isReason = (code: string): code is Reason => i18n.exists(`reasons.${code}`, { ns: 'files' });

/** An action that the page itself refuses; the message is the sentence for the user. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Returns the reason of a failure and what to do about it, in the user's language. */
export function transferFailureReason(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  return reasonForCode(error instanceof ApiError ? exactCode(error) : '');
}

type JobReason = keyof typeof jobTexts.reasons;
/** Reasons that occur only in jobs, whose texts are loaded with the jobs. */
const isJobReason = (code: string): code is JobReason => i18n.exists(`reasons.${code}`, { ns: 'jobs' });

/** Returns the reason for an error code, or for the exact code of an error. */
export const reasonForCode = (code: string): string => {
  if (code === 'not_signed_in') return i18n.t('login.reasons.ended', { ns: 'app' });
  if (isJobReason(code)) return i18n.t(`reasons.${code}`, { ns: 'jobs' });
  return i18n.t(`reasons.${isReason(code) ? code : 'other'}`, { ns: 'files' });
};

/** Whether no response arrived, so that the outcome is unknown. */
export const isOutcomeUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/**
 * Whether another attempt may succeed soon: the connection failed, the session ended, or the server is busy or
 * failing.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (transientStatuses.has(error.status) || error.status >= 500);

/** No response; not signed in; too many requests. */
const transientStatuses: ReadonlySet<number> = new Set([0, 401, 429]);
