import { join } from 'node:path';
import { createUser, fetchApi } from './api.ts';
import { expect, test } from './fixtures.ts';
import { signIn } from './journey.ts';
import { signInByApi } from './product.ts';
import { write } from './sample-files.ts';
import { settled } from './settled.ts';

/** Acts when any screen takes it for markup; a slash would end a file's name. */
const hostile = (name: string): string =>
  `${name}"'><img src=x onerror=window.acted=1><svg onload=window.acted=1>{{7*7}}`;

test('markup in names of files, people, rules and the installation is text on every screen', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, hostile('file'), `${hostile('inner')}.txt`), 'text');
  await write(join(root, `${hostile('note')}.md`), '# Plan');
  const token = await signInByApi(product);
  const send = async (method: string, path: string, json: unknown): Promise<void> => {
    const answer = await fetchApi(product, path, token, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
    expect(answer.ok, `${method} ${path}: ${await answer.text()}`).toBe(true);
  };
  const settings = (await (await fetchApi(product, '/api/settings', token)).json()) as { branding: object };
  const rule = (path: string): object => ({ regex: false, allow: true, path, regexp: { raw: '' } });
  await send('PUT', '/api/settings', {
    ...settings,
    branding: { ...settings.branding, name: hostile('house') },
    rules: [rule(`/${hostile('rule')}`)],
    shell: [hostile('shell')],
    commands: { after_upload: [hostile('hook')] },
  });
  await createUser(product, token, {
    username: hostile('maria'),
    password: 'four trams to Lisbon',
    scope: '/',
  });
  await send('POST', `/api/share/${encodeURIComponent(hostile('file'))}`, {});
  const users = (await (await fetchApi(product, '/api/users', token)).json()) as { id: number }[];

  await signIn(page, product);
  const screens = [
    '/files/',
    `/files/${encodeURIComponent(hostile('file'))}/`,
    `/files/${encodeURIComponent(`${hostile('note')}.md`)}`,
    `/files/${encodeURIComponent(hostile('file'))}/${encodeURIComponent(`${hostile('inner')}.txt`)}`,
    '/settings/profile',
    '/settings/global',
    '/settings/users',
    '/settings/shares',
    ...users.map(({ id }) => `/settings/users/${id}`),
  ];
  for (const screen of screens) {
    await page.goto(`${product.url}${screen}`);
    await expect(page.locator('h1, [data-id], [role=dialog]').first()).toBeVisible();
    await settled(page);
    expect(await page.evaluate(() => 'acted' in window), screen).toBe(false);
    expect(await page.locator('[onerror], [onload], img[src="x"]').count(), screen).toBe(0);
  }
  // The names are there, as they were written.
  await page.goto(`${product.url}/settings/users`);
  await expect(page.getByText(hostile('maria')).first()).toBeVisible();
  await page.goto(`${product.url}/files/`);
  await expect(page.getByText(hostile('file'), { exact: true }).first()).toBeVisible();
  await expect(page).toHaveTitle(/\{\{7\*7\}\}/u);
});
