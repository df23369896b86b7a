import type { SettingsChange } from '@filestead/contract/settings';
import { grantConfirmedScope } from '../../access/default-scope.ts';
import { updateSettings } from '../../settings/update-settings.ts';
import type { OpenData } from '../open-data.ts';
import { withServedFolders } from '../users/served-folders.ts';

/**
 * Replaces the settings. If they confirm the default scope, the accounts that wait for it get it. Throws `bad_request`, `invalid_path`,
 * `invalid_rule`.
 */
export async function storeSettings(data: OpenData, change: SettingsChange): Promise<void> {
  const { database, settings } = data;
  await updateSettings(settings, change);
  await withServedFolders(data, (folders) =>
    grantConfirmedScope(settings.current, { users: database.users, ...folders }),
  );
}
