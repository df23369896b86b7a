import type { TFunction } from 'i18next';
import { ApiError } from '../../../api/call.ts';

const codesWithText = ['no_connection', 'forbidden', 'too_many_requests'] as const;

/** Returns the message of a failed change that does not concern a single field. */
export function settingsFailureText(t: TFunction<'settings'>, error: unknown): string {
  const code = codesWithText.find((name) => error instanceof ApiError && error.code === name);
  return t(`failed.${code ?? 'general'}`);
}
