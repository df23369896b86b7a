import type { LetterCase } from '@filestead/contract/match-rules';
import * as contract from '@filestead/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { AuthMethodName } from '../config/auth-method-names.ts';
import { changedFields } from '../access/changed-fields.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { Route } from '../http/server/route.ts';
import { changesCommands, presentBranding, updateSettings } from './update-settings.ts';

/**
 * Verifies the password that a user has repeated for a change. Throws `current_password_wrong`, `too_many_requests`.
 */
type Confirm = (
  requester: { userId: number; address: string },
  change: { password: string | undefined; needsConfirmation: boolean },
) => Promise<void>;

/**
 * Registers the global settings for administrators. They do not include the server's keys and the options of
 * the authentication method.
 */
export function registerSettings(
  app: FastifyInstance,
  {
    route,
    settings,
    authMethod,
    letterCase,
    confirm,
    grantConfirmedScope,
  }: {
    route: Route;
    settings: GlobalSettings;
    authMethod: AuthMethodName;
    /** The comparison of letter case in names by the served file systems. */
    letterCase: LetterCase;
    confirm: Confirm;
    /** Grants the default scope to waiting accounts once the settings confirm it. */
    grantConfirmedScope: () => Promise<void>;
  },
): void {
  route(app, contract.getSettings, async () => ({
    ...settings.current,
    branding: presentBranding(settings.current.branding),
    minimumPasswordLength: settings.minimumPasswordLength,
    authMethod,
    letterCase,
  }));
  route(app, contract.updateSettings, async ({ userContext, body, request }) => {
    // A stolen token must not be enough to disable the password check or to choose which commands the server
    // runs.
    const needsConfirmation =
      body.requireCurrentPassword === false || changesCommands(settings.current, body);
    const requester = { userId: userContext.user.id, address: clientAddress(request) };
    await confirm(requester, { password: body.current_password, needsConfirmation });
    const before = settings.current;
    await updateSettings(settings, body);
    request.audit.changed = changedFields(before, settings.current);
    await grantConfirmedScope();
    return undefined;
  });
}
