import * as contract from '@filestead/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { GlobalSettings } from '../access/global-settings.ts';
import type { Route } from '../http/route.ts';
import { updateSettings } from './update-settings.ts';

/** The global settings, for administrators. The server's keys are no part of them. */
export function registerSettings(
  app: FastifyInstance,
  { route, settings }: { route: Route; settings: GlobalSettings },
): void {
  route(app, contract.getSettings, async () => settings.current);
  route(app, contract.updateSettings, async ({ body }) => {
    await updateSettings(settings, body);
    return undefined;
  });
}
