import type { PageConfig } from '@filestead/contract/page-config';
import type { Settings } from '@filestead/contract/settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../../test/start-app.ts';

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startApp({ web: { 'index.html': '<!doctype html><html><head></head><body></body></html>' } });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

async function readConfig(): Promise<PageConfig> {
  const html = await (await app.fetch('/')).text();
  return JSON.parse(/id="config">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as PageConfig;
}

test('the page contains the default duration of shares, and saving settings without it keeps it', async () => {
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const save = (json: unknown): Promise<Response> =>
    app.fetch('/api/settings', { method: 'PUT', token: admin, json });
  expect(await readConfig()).toMatchObject({ ShareDefaults: { duration: 0, unit: 'hours' } });
  const { shareDefaults: _, ...older } = settings;
  expect((await save({ ...settings, shareDefaults: { duration: 7, unit: 'days' } })).status).toBe(200);
  expect((await save(older)).status).toBe(200);
  expect(await readConfig()).toMatchObject({ ShareDefaults: { duration: 7, unit: 'days' } });
  for (const shareDefaults of [
    { duration: -1, unit: 'days' },
    { duration: 2_147_483_648 },
    { duration: 1.5 },
    { unit: 'weeks' },
  ]) {
    expect((await save({ ...settings, shareDefaults })).status).toBe(400);
  }
  expect((await save(settings)).status).toBe(200);
  expect(await readConfig()).toMatchObject({ ShareDefaults: { duration: 0, unit: 'hours' } });
});

test('the page contains the report address unless external links are disabled', async () => {
  const settings = (await (await app.fetch('/api/settings', { token: admin })).json()) as Settings;
  const save = (branding: Partial<Settings['branding']>): Promise<Response> =>
    app.fetch('/api/settings', {
      method: 'PUT',
      token: admin,
      json: { ...settings, branding: { ...settings.branding, ...branding } },
    });
  const reportURL = 'https://example.org/issues/new?title=a%20b';
  expect((await save({ reportURL })).status).toBe(200);
  expect(await readConfig()).toMatchObject({ ReportURL: reportURL });
  expect((await save({ reportURL, disableExternal: true })).status).toBe(200);
  expect(await readConfig()).toMatchObject({ ReportURL: '', DisableExternal: true });
  expect((await save({ reportURL: 'mailto:help@example.org' })).status).toBe(200);
  expect(await readConfig()).toMatchObject({ ReportURL: 'mailto:help@example.org' });
  expect((await save({ reportURL: '' })).status).toBe(200);
  expect(await readConfig()).toMatchObject({ ReportURL: '' });
});

test('the page configuration has exactly these keys, in this order', async () => {
  const config = await readConfig();
  expect(Object.keys(config)).toEqual([
    'AuthMethod',
    'BaseURL',
    'CSS',
    'Color',
    'DisableExternal',
    'DisableUsedPercentage',
    'EnableCatalogue',
    'EnableContents',
    'EnableExec',
    'EnableThumbs',
    'EnableTrash',
    'HideLoginButton',
    'LoginPage',
    'LogoutPage',
    'Name',
    'NoAuth',
    'ReCaptcha',
    'ReportURL',
    'ResizePreview',
    'ShareDefaults',
    'Signup',
    'StaticURL',
    'Theme',
    'TrashDays',
    'TusSettings',
    'Version',
  ]);
  expect(config).toMatchObject({ AuthMethod: 'json', BaseURL: '', EnableExec: false, StaticURL: '/static' });
});
