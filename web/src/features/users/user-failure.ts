import { minimumLengthIn } from '@filestead/contract/values/password-length';
import { useTranslation } from '../../i18n/use-translation.ts';
import { ApiError } from '../../api/call.ts';
import { exactCode } from '../../api/exact-code.ts';
import { formatNumber } from '../../i18n/format.ts';
import type { UserField } from './user-draft.ts';

/** The reason why a user could not be stored: an error of one field, or of the whole form. */
export interface UserFailure {
  field: UserField | null;
  text: string;
}

const general = [
  'deniedBySystem',
  'readOnlyDisk',
  'no_connection',
  'forbidden',
  'not_found',
  'last_administrator',
  'too_many_requests',
] as const;

/** Returns a function that converts an error to a message. */
export function useUserFailure(): (error: unknown) => UserFailure {
  const { t } = useTranslation('users');
  return (error) => {
    if (!(error instanceof ApiError)) return { field: null, text: t('failed.general') };
    const { code, detail = '' } = error;
    if (code === 'username_taken' && detail.includes('looks like')) {
      return { field: 'username', text: t('failed.lookAlike') };
    }
    if (code === 'username_taken') return { field: 'username', text: t('failed.username_taken') };
    if (code === 'invalid_path') return { field: 'scope', text: t('failed.scope') };
    if (code === 'invalid_rule') return { field: 'rules', text: detail };
    if (code === 'weak_password') {
      const minLength = minimumLengthIn(detail);
      const text =
        minLength === null
          ? t('failed.weak')
          : t('failed.tooShort', { count: minLength, number: formatNumber(minLength) });
      return { field: 'password', text };
    }
    if (code === 'bad_request' && detail.startsWith('no home folder')) {
      return { field: 'username', text: t('failed.noHome') };
    }
    if (code === 'bad_request' && detail.startsWith('perm:')) {
      return { field: null, text: t('failed.shareNeedsDownload') };
    }
    const knownCode = general.find((name) => name === exactCode(error));
    return { field: null, text: t(`failed.${knownCode ?? 'general'}`) };
  };
}
