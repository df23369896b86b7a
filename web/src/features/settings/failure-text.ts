import type { TFunction } from 'i18next';
import { ApiError } from '../../api/call.ts';

const known = ['no_connection', 'forbidden', 'too_many_requests'] as const;

/** What to say of a change that failed for no reason that belongs to one field. */
export function settingsFailureText(t: TFunction<'settings'>, error: unknown): string {
  const code = known.find((name) => error instanceof ApiError && error.code === name);
  return t(`failed.${code ?? 'general'}`);
}
