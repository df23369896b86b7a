import { setTimeout as sleep } from 'node:timers/promises';
import type { FindResult, MapResult, TotalsResult } from '@filestead/contract/endpoints/find';
import { expect } from 'vitest';
import { type StartApp, startApp, type TestApp } from '../start-app.ts';

/** A server with the catalogue, which reads the disk as fast as it can. */
export interface CatalogueApp extends TestApp {
  find(token: string, path: string, query?: string): Promise<FindResult>;
  totals(token: string, path: string): Promise<TotalsResult>;
  map(token: string, path: string, query?: string): Promise<MapResult>;
  /** Waits until the catalogue contains the whole tree. */
  waitUntilBuilt(): Promise<void>;
  /** Compares the catalogue with the disk, and waits for the end. */
  sweep(): Promise<void>;
}

/** The interval at which a condition is examined, and the time after which it is given up (milliseconds). */
const pollMs = 20;
const maxPollMs = 60_000;

/** Waits until a condition is met; outside of Vitest too, where the full-size suites run. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + maxPollMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error('the condition was not met in time');
    await sleep(pollMs);
  }
}

/** Starts a server with the catalogue. Close it after the test. */
export async function startCatalogueApp(setup: StartApp = {}): Promise<CatalogueApp> {
  const app = await startApp({
    ...setup,
    config: { catalogue: 'on', catalogueBudget: 'full', logLevel: 'debug', ...setup.config },
  });
  const get = async <T>(token: string, path: string): Promise<T> => {
    // Longer than the time for which changes are collected.
    app.clock.advance(100);
    const response = await app.fetch(path, { token });
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    return (await response.json()) as T;
  };
  const query = (text: string): string => (text === '' ? '' : `?${text}`);
  const states = (state: string): number =>
    app.log.filter((line) => line.includes(`catalogue: ${state}`)).length;
  let admin: Promise<string> | undefined;
  const find = async (): Promise<FindResult> =>
    get<FindResult>(await (admin ??= app.signIn('admin')), '/api/find/?limit=1');
  return Object.assign(app, {
    find: (token: string, path: string, text = '') =>
      get<FindResult>(token, `/api/find${path}${query(text)}`),
    totals: (token: string, path: string) => get<TotalsResult>(token, `/api/totals${path}`),
    map: (token: string, path: string, text = '') => get<MapResult>(token, `/api/map${path}${query(text)}`),
    async waitUntilBuilt() {
      await find();
      await until(() => states('idle') > 0);
      await until(async () => (await find()).coverage === 'all');
    },
    async sweep() {
      const before = [states('swept'), states('idle')];
      await find();
      app.clock.advance(5 * 60_000);
      await until(() => states('swept') > (before[0] ?? 0) && states('idle') > (before[1] ?? 0));
      await until(async () => (await find()).coverage === 'all');
    },
  });
}
