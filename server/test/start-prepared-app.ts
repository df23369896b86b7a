import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '@filestead/contract/settings';
import { type StartApp, type TestApp, startApp } from './start-app.ts';

/**
 * Starts an app whose settings were saved while users still signed in with passwords: an administrator changes the
 * authentication method by restarting the server.
 */
export async function startPreparedApp(
  settings: Partial<Settings>,
  { users = [], ...setup }: StartApp,
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-prepared-'));
  const database = join(folder, 'filestead.db');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const first = await startApp({ users, settings, config: { database } });
    await first.close();
    const app = await startApp({ ...setup, config: { ...setup.config, database } });
    return {
      ...app,
      async close() {
        await app.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
