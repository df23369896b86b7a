import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { dialogOf, entry, fillLogin, openFolder, signIn } from './support/journey.ts';
import { write } from './support/sample-files.ts';

test.use({ serviceWorkers: 'allow' });

/** Waits until the service worker is installed, and reloads the page so that it is controlled by it. */
async function withWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** Returns the paths of all cached requests. */
const cachedUrls = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) urls.push(new URL(request.url).pathname);
    }
    return urls;
  });

/** Submits a form as the operating system does when content is shared with an installed application. */
async function share(page: Page, fields: { files?: Record<string, string>; title?: string; text?: string }) {
  await page.evaluate(({ files = {}, title = '', text = '' }) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', enctype: 'multipart/form-data' });
    form.action = new URL(
      'share-target',
      document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href,
    ).href;
    const transfer = new DataTransfer();
    for (const [name, content] of Object.entries(files)) transfer.items.add(new File([content], name));
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      name: 'files',
      multiple: true,
    });
    input.files = transfer.files;
    const words = Object.entries({ title, text }).map(([name, value]) =>
      Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
    );
    form.append(input, ...words);
    document.body.append(form);
    form.submit();
  }, fields);
  await page.waitForURL('**/files/**');
}

for (const base of ['', '/cloud']) {
  test.describe(`served from ${base || 'the root'}`, base === '' ? {} : extended, () => {
    test.use({ flags: base === '' ? [] : ['--baseURL', base] });

    test('the manifest, its icons and its share target meet the requirements of browsers', async ({
      page,
      product,
    }) => {
      const url = `${product.url}${base}`;
      await page.goto(`${url}/login`);
      const href = await page.getAttribute('link[rel=manifest]', 'href');
      const manifestUrl = new URL(href ?? '', page.url());
      const response = await fetch(manifestUrl);
      expect(response.headers.get('content-type')).toContain('application/manifest+json');
      const manifest = (await response.json()) as {
        name: string;
        start_url: string;
        scope: string;
        display: string;
        icons: { src: string; sizes: string; purpose: string }[];
        share_target: { action: string; method: string; enctype: string };
      };
      expect(manifest).toMatchObject({ start_url: `${base}/`, scope: `${base}/`, display: 'standalone' });
      const action = new URL(manifest.share_target.action, manifestUrl);
      expect(action.pathname).toBe(`${base}/share-target`);
      expect(manifest.icons.some(({ sizes, purpose }) => sizes === '192x192' && purpose === 'any')).toBe(
        true,
      );
      expect(manifest.icons.some(({ sizes, purpose }) => sizes === '512x512' && purpose === 'maskable')).toBe(
        true,
      );
      for (const { src, sizes } of manifest.icons) {
        const size = await page.evaluate(async (address) => {
          const image = new Image();
          image.src = address;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }, new URL(src, manifestUrl).href);
        if (sizes !== 'any') expect(size, src).toBe(sizes);
      }
      // The installability errors that Chromium reports.
      const session = await page.context().newCDPSession(page);
      const { errors } = await session.send('Page.getAppManifest');
      expect(errors).toEqual([]);
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      const unmetRequirements = installabilityErrors
        .map(({ errorId }) => errorId)
        .filter((id) => id !== 'in-incognito');
      expect(unmetRequirements).toEqual([]);
    });

    test('the offline page is shown without a connection', async ({ page, product, context, problems }) => {
      problems.allow(/ERR_INTERNET_DISCONNECTED|status of 503 .*\/files\/\)$/u);
      // Through the service worker a part of the page that is still being fetched fails with this error.
      problems.allow(/ERR_FAILED \(.*\/static\/assets\/[^/]+\)$/u);
      await signInAt(page, `${product.url}${base}`, product.password);
      await withWorker(page);
      // The page stores the offline page in its language when it is idle; without it, a plain one is shown.
      await expect.poll(() => cachedUrls(page)).toContain(`${base}/offline.html`);
      await context.setOffline(true);
      await page.reload();
      await expect(page.getByRole('heading', { name: "Can't reach Filestead" })).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await checkScreen(page, `offline, ${colorScheme}`);
      }
      await context.setOffline(false);
      await page.getByRole('link', { name: 'Try again' }).click();
      await expect(page.getByRole('heading', { name: 'My files', level: 1 })).toBeVisible();
    });
  });
}

/** Signs in with the form at another address than that of the product. */
async function signInAt(page: Page, url: string, password: string): Promise<void> {
  await page.goto(`${url}/login`);
  await fillLogin(page, 'admin', password);
  await page.waitForURL('**/files/**');
}

test('the service worker caches files of the build and no data of the user', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'Photos', 'secret plan.txt'), 'secret');
  await signIn(page, product);
  await withWorker(page);
  await openFolder(page, 'Photos');
  await expect(entry(page, 'secret plan.txt')).toBeVisible();
  const cached = await cachedUrls(page);
  expect(cached.length).toBeGreaterThan(1);
  expect(cached.filter((path) => !/^\/(?:static\/assets\/|offline\.html$)/u.test(path))).toEqual([]);
});

test(
  'files shared by other applications are uploaded to a chosen folder',
  extended,
  async ({ page, product, root }) => {
    await write(join(root, 'Photos', 'boat.txt'), 'boat');
    await signIn(page, product);
    await withWorker(page);

    await test.step('two shared files are uploaded to the chosen folder', async () => {
      await share(page, { files: { 'one.txt': 'first', 'two.txt': 'second' } });
      const dialog = dialogOf(page);
      await expect(dialog.getByRole('heading', { name: 'Upload 2 files' })).toBeVisible();
      await checkScreen(page, 'the folder for shared files');
      await dialog
        .getByRole('option', { name: 'Photos' })
        .or(dialog.getByText('Photos', { exact: true }))
        .first()
        .click();
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
      await expect(page.getByRole('region', { name: 'Activity' })).toContainText('2 uploaded');
      expect((await readdir(join(root, 'Photos'))).toSorted()).toEqual(['boat.txt', 'one.txt', 'two.txt']);
      expect(await readFile(join(root, 'Photos', 'two.txt'), 'utf8')).toBe('second');
    });

    await test.step('the shared files are removed, and a reload does not ask again', async () => {
      expect(new URL(page.url()).search).toBe('');
      expect((await cachedUrls(page)).filter((path) => path.startsWith('/shared-items/'))).toEqual([]);
      await page.reload();
      await expect(entry(page, 'Photos')).toBeVisible();
      await expect(dialogOf(page)).toHaveCount(0);
    });

    await test.step('a shared text becomes a file', async () => {
      await share(page, { title: 'Trams of Lisbon', text: 'https://example.org/trams' });
      await expect(dialogOf(page)).toContainText('Trams of Lisbon.txt');
      // The dialog opens with the folder that was chosen last.
      await expect(dialogOf(page).getByRole('treeitem', { name: 'Photos' })).toHaveAttribute(
        'aria-selected',
        'true',
      );
      await dialogOf(page).getByRole('treeitem', { name: 'My files' }).click();
      await dialogOf(page).getByRole('button', { name: 'Upload', exact: true }).click();
      await expect(entry(page, 'Trams of Lisbon.txt')).toBeVisible();
      // The row appears as soon as the upload begins.
      await expect(page.getByRole('region', { name: 'Activity' })).toContainText('1 uploaded');
      expect(await readFile(join(root, 'Trams of Lisbon.txt'), 'utf8')).toBe('https://example.org/trams\n');
    });
  },
);

test(
  'the account menu offers the installation while the browser does',
  extended,
  async ({ page, product }) => {
    await signIn(page, product);
    const menu = page.getByRole('button', { name: /Account/u });
    const item = page.getByRole('menuitem', { name: 'Install as an app' });
    await menu.click();
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
    await expect(item).toBeHidden();
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: () => {
          document.body.dataset['prompted'] = 'yes';
          return Promise.resolve();
        },
      });
      window.dispatchEvent(offer);
      document.body.dataset['isHeld'] = String(offer.defaultPrevented);
    });
    await menu.click();
    await item.click();
    await expect(page.locator('body')).toHaveAttribute('data-prompted', 'yes');
    await expect(page.locator('body')).toHaveAttribute('data-is-held', 'true');
    await menu.click();
    await expect(item).toBeHidden();
  },
);

/**
 * Forwards all requests to the product; once `isNew` is set, its service worker names another page script, as that of
 * the next version would.
 */
async function startUpdatingProxy(target: string) {
  const state = { isNew: false };
  const proxy = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    // Without an agent each request has its own connection: the product may close an idle one just when it is used again.
    const options = { method, headers, agent: false } as const;
    const forwarded = httpRequest(target + url, options, async (upstream) => {
      if (!state.isNew || url !== '/sw.js') {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
        return;
      }
      const script = await text(upstream);
      const { 'content-length': _, etag: __, ...rest } = upstream.headers;
      response.writeHead(200, rest);
      response.end(script.replaceAll(/static\/assets\/index-[\w-]+\.js/gu, 'static/assets/index-next.js'));
    });
    // Uncompressed, because the script is changed by the proxy.
    if (url === '/sw.js') {
      for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since'])
        forwarded.removeHeader(name);
    }
    // A request that a reload or the end of the test has cut off.
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { state, url: `http://127.0.0.1:${port}`, close: () => proxy.close() };
}

test('a new version is offered, and a reload activates it', extended, async ({ page, product, problems }) => {
  problems.allow(/request to another origin/u);
  const { state, url, close } = await startUpdatingProxy(product.url);
  await signInAt(page, url, product.password);
  await withWorker(page);
  await expect(page.getByText('A new version is ready.')).toBeHidden();
  state.isNew = true;
  await page.reload();
  await expect(page.getByText('A new version is ready.')).toBeVisible();
  await page.evaluate(() => (document.body.dataset['isOld'] = 'yes'));
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect(page.locator('body')).not.toHaveAttribute('data-is-old', 'yes');
  await expect(page.getByRole('heading', { name: 'My files', level: 1 })).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        return registration.waiting === null && registration.active?.state === 'activated';
      }),
    )
    .toBe(true);
  close();
});
