import * as contract from '@filestead/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { AuthMethodName } from '../access/auth-method.ts';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { Route } from '../http/route.ts';
import { updateSettings } from './update-settings.ts';

/** The global settings, for administrators. The server's keys and the options of signing in are no part of them. */
export function registerSettings(
  app: FastifyInstance,
  { route, settings, authMethod }: { route: Route; settings: GlobalSettings; authMethod: AuthMethodName },
): void {
  route(app, contract.getSettings, async () => ({
    ...settings.current,
    minimumPasswordLength: settings.minimumPasswordLength,
    authMethod,
  }));
  route(app, contract.updateSettings, async ({ body }) => {
    await updateSettings(settings, body);
    return undefined;
  });
}
