import { getSettings, updateSettings, type SettingsResponse } from '@filestead/contract/settings';
import { call } from '../../api/call.ts';
import { confirmation } from '../../api/change-user.ts';

/**
 * Changes a part of the current settings of the server, so that changes of other administrators are kept. Returns the
 * stored settings. Throws `ApiError`.
 */
export async function changeSettings(
  change: (settings: SettingsResponse) => SettingsResponse,
  currentPassword?: string,
): Promise<SettingsResponse> {
  const changed = change(await call(getSettings));
  await call(updateSettings, { body: { ...changed, ...confirmation(currentPassword) } });
  return call(getSettings);
}

/** Changes a part of the settings as {@link changeSettings} does, and shows the stored result. Throws `ApiError`. */
export type SaveSettings = (
  change: (settings: SettingsResponse) => SettingsResponse,
  currentPassword?: string,
) => Promise<void>;
