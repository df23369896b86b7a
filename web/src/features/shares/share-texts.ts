import { ApiError } from '../../api/call.ts';
import { i18n } from '../../i18n/i18n.ts';
import type texts from '../../i18n/locales/en/shares.json';

type Reason = keyof typeof texts.reasons;
const isReason = (code: string): code is Reason => i18n.exists(`reasons.${code}`, { ns: 'shares' });

/** Returns a message with the reason of a failure and the next step, in the user's language. */
export function shareFailureText(error: unknown): string {
  const code = error instanceof ApiError ? error.code : '';
  return i18n.t(`reasons.${isReason(code) ? code : 'other'}`, { ns: 'shares' });
}

/** Returns the displayed name of a shared entry; the root of a scope, which has no name, is called "My files". */
export const nameOfEntry = ({ name }: { readonly name: string }): string =>
  name || i18n.t('everything', { ns: 'shares' });
