import { getSettings, updateSettings, type SettingsAnswer } from '@filestead/contract/settings';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call(getSettings, { signal }),
});

/**
 * Changes a part of the settings as they are now on the server, so that what somebody else has changed meanwhile stays.
 * Returns what is stored then. Throws `ApiError`.
 */
export async function changeSettings(
  change: (settings: SettingsAnswer) => SettingsAnswer,
  currentPassword?: string,
): Promise<SettingsAnswer> {
  const confirmation = currentPassword === undefined ? {} : { current_password: currentPassword };
  await call(updateSettings, { body: { ...change(await call(getSettings)), ...confirmation } });
  return call(getSettings);
}

/** Changes a part of the settings as {@link changeSettings} does, and shows what is stored then. Throws `ApiError`. */
export type SaveSettings = (
  change: (settings: SettingsAnswer) => SettingsAnswer,
  currentPassword?: string,
) => Promise<void>;
