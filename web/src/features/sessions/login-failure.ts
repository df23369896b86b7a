import { minimumLengthIn } from '@filestead/contract/values/password-length';
import type { TFunction } from 'i18next';
import { ApiError } from '../../api/call.ts';
import { formatDuration, formatNumber } from '../../i18n/format.ts';

export type LoginField = 'username' | 'password' | 'confirmation';

/** The message of a failed sign-in and the field that it belongs to. `captcha` is shown below all fields. */
export interface FieldError {
  readonly field: LoginField | 'captcha';
  readonly text: string;
}

/** Rounds to whole minutes from one minute on. */
const waitingTime = (seconds: number): number =>
  seconds < 60 ? Math.max(1, seconds) : Math.ceil(seconds / 60) * 60;

/** Returns the message for an error of signing in or up. */
export function toFieldError(error: unknown, t: TFunction<'app'>): FieldError {
  const problem = error instanceof ApiError ? error : new ApiError(500, 'internal_error');
  const atPassword = (text: string): FieldError => ({ field: 'password', text });
  switch (problem.code) {
    case 'no_connection':
      return atPassword(t('errors.0.message'));
    case 'too_many_requests':
      return atPassword(
        problem.retryAfterSeconds === null
          ? t('login.tooManyAttempts')
          : t('login.tooManyAttemptsWait', { time: formatDuration(waitingTime(problem.retryAfterSeconds)) }),
      );
    case 'captcha_failed':
      return { field: 'captcha', text: t('login.captcha.refused') };
    case 'sign_in_unavailable':
      return atPassword(t('login.unavailable'));
    case 'username_taken':
      return { field: 'username', text: t('login.usernameTaken') };
    case 'bad_request':
      return { field: 'username', text: t('login.usernameUnusable') };
    case 'method_not_allowed':
      return atPassword(t('login.signupClosed'));
    case 'weak_password': {
      const length = minimumLengthIn(problem.detail);
      if (length === null) return atPassword(t('login.passwordTooEasy'));
      return atPassword(t('login.passwordTooShort', { count: length, number: formatNumber(length) }));
    }
    default:
      return atPassword(problem.status >= 500 ? t('errors.500.message') : t('login.wrongCredentials'));
  }
}
