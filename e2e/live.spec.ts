import { writeFileSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { extended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, jumpTo, nameOf, listing, select, selectionBar, signIn } from './support/journey.ts';
import { hasNginx, startNginx } from './support/nginx.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

/** The time in which a change has to be shown on a machine that is busy with other tests. */
const soon = { timeout: 5_000 };

const openDocs = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/files/docs/`);
  await expect(listing(page, 'docs')).toBeVisible();
};
/** Waits until the page follows the folder: a change by another program is shown. */
async function waitUntilFollowed(page: Page, root: string): Promise<void> {
  const probe = join(root, 'docs', '0 probe');
  await write(probe, '');
  await expect(entry(page, '0 probe')).toBeVisible();
  await rm(probe);
  await expect(entry(page, '0 probe')).toBeHidden();
}
const names = (page: Page): Locator => page.locator('[data-id] [data-part=name]');
const liveText = (page: Page): Locator => page.locator('[data-layer="live"]');

test('changes by another program appear in both windows, and selection and work in progress stay', async ({
  page,
  context,
  product,
  root,
  problems,
}) => {
  const docs = join(root, 'docs');
  for (const name of ['budget.txt', 'letter.txt', 'notes.txt']) await write(join(docs, name), name);
  await signIn(page, product, { at: '/files/docs/' });
  const other = await context.newPage();
  await openDocs(other, product.url);
  await waitUntilFollowed(page, root);
  await waitUntilFollowed(other, root);

  await test.step('a new file arrives in both, is marked for a while, and the selection stays', async () => {
    const selected = await select(page, 'letter.txt');
    await write(join(docs, 'arrived.txt'), 'hello');
    for (const window of [page, other]) {
      await expect(entry(window, 'arrived.txt')).toBeVisible(soon);
      await expect(entry(window, 'arrived.txt')).toHaveAttribute('data-arrived', 'true');
    }
    await expect(selected).toHaveAttribute('aria-selected', 'true');
    await expect(liveText(page)).toContainText(/arrived\.txt.? was added/u);
    await expect(entry(page, 'arrived.txt')).not.toHaveAttribute('data-arrived');
  });

  await test.step('a changed size is shown, and a renamed entry stays selected', async () => {
    await appendFile(join(docs, 'arrived.txt'), 'x'.repeat(995));
    await expect(entry(page, 'arrived.txt')).toContainText('1 KB', soon);
    await rename(join(docs, 'letter.txt'), join(docs, 'zebra.txt'));
    await expect(entry(page, 'zebra.txt')).toHaveAttribute('aria-selected', 'true', soon);
    await expect(entry(page, 'letter.txt')).toBeHidden();
  });

  await test.step('a selected entry that is removed leaves the selection, and that is announced', async () => {
    await rm(join(docs, 'zebra.txt'));
    await expect(entry(page, 'zebra.txt')).toBeHidden(soon);
    await expect(selectionBar(page)).toBeHidden();
    await expect(liveText(page)).toContainText(/zebra\.txt.? no longer exists/u);
  });

  await test.step('changes wait while an entry is being named', async () => {
    await select(page, 'notes.txt');
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'New name' });
    await field.fill('unfinished');
    await write(join(docs, 'aaa.txt'), 'first');
    await expect(entry(other, 'aaa.txt')).toBeVisible(soon);
    await expect(field).toHaveValue('unfinished');
    await expect(entry(page, 'aaa.txt')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(entry(page, 'aaa.txt')).toBeVisible(soon);
  });

  await test.step('changes wait while a pointer is pressed', async () => {
    const box = await nameOf(entry(page, 'notes.txt')).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await page.mouse.down();
    await write(join(docs, 'aab.txt'), 'second');
    await expect(entry(other, 'aab.txt')).toBeVisible(soon);
    await expect(entry(page, 'aab.txt')).toBeHidden();
    await page.mouse.up();
    await expect(entry(page, 'aab.txt')).toBeVisible(soon);
  });

  await test.step('a change in one window is shown in the other', async () => {
    await page.keyboard.press('Escape');
    await select(page, 'budget.txt');
    await page.keyboard.press('Delete');
    await expect(entry(other, 'budget.txt')).toBeHidden(soon);
  });

  await test.step('a folder that is removed is reported, and shown again when it is back', async () => {
    // A request that the last change caused may arrive when the folder is gone.
    problems.allow(/status of 404 .*\/api\/(?:marks\/folder|resources|totals|usage)\/docs\/?\)$/u);
    await rename(docs, join(root, 'away'));
    await expect(listing(page, 'docs')).toBeHidden(soon);
    await rename(join(root, 'away'), docs);
    await expect(entry(page, 'notes.txt')).toBeVisible();
  });
});

test('rows above the viewport arrive without moving it', extended, async ({ page, product, root }) => {
  const docs = join(root, 'docs');
  for (let index = 0; index < 300; index++) await write(join(docs, `file ${1000 + index}.txt`), '');
  await signIn(page, product, { at: '/files/docs/' });
  await waitUntilFollowed(page, root);
  const last = await jumpTo(page, 'file 1299.txt');
  const before = (await last.boundingBox())?.y;
  for (let index = 0; index < 5; index++) await write(join(docs, `a new ${index}.txt`), '');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '306', soon);
  expect((await last.boundingBox())?.y).toBe(before);
});

test(
  'many files at once are all shown, and the page stays responsive',
  extended,
  async ({ page, product, root }) => {
    const docs = join(root, 'docs');
    await write(join(docs, 'first.txt'), '');
    await signIn(page, product, { at: '/files/docs/' });
    await waitUntilFollowed(page, root);
    for (let index = 0; index < 2_000; index += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, offset) => write(join(docs, `n${index + offset}`), '')),
      );
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2002');
    await rm(docs, { recursive: true });
    await mkdir(docs);
    await write(join(docs, 'again.txt'), '');
    await expect(entry(page, 'again.txt')).toBeVisible();
    await expect(names(page)).toHaveCount(1);
  },
);

test('the order by time settles at intervals', extended, async ({ page, product, root }) => {
  const docs = join(root, 'docs');
  for (const [index, name] of ['c.txt', 'b.txt', 'a.txt'].entries()) {
    await write(join(docs, name), name);
    await utimes(join(docs, name), 1_000_000 - index, 1_000_000 - index);
  }
  await signIn(page, product, { at: '/files/docs/' });
  await page.getByRole('columnheader', { name: 'Modified' }).getByRole('button').click();
  await expect(names(page).first()).toHaveText('c.txt');
  await waitUntilFollowed(page, root);
  await utimes(join(docs, 'a.txt'), 2_000_000, 2_000_000);
  await expect(names(page).first()).toHaveText('a.txt', soon);
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a few rows unfold as they arrive, and many do not', extended, async ({ page, product, root }) => {
    const docs = join(root, 'docs');
    await write(join(docs, 'b.txt'), '');
    await signIn(page, product, { at: '/files/docs/' });
    await page.evaluate(() => {
      document.addEventListener('animationstart', ({ animationName, target }) => {
        const row = (target as Element).closest('[data-id]');
        if (row !== null && animationName.includes('unfold')) row.setAttribute('data-seen-unfolding', '');
      });
    });
    await waitUntilFollowed(page, root);
    await write(join(docs, 'a.txt'), '');
    await expect(entry(page, 'a.txt')).toHaveAttribute('data-seen-unfolding', '', soon);
    await expect(entry(page, 'b.txt')).not.toHaveAttribute('data-seen-unfolding');
    // The server reads nothing meanwhile, so that they arrive together.
    process.kill(product.pid, 'SIGSTOP');
    for (let index = 0; index < 60; index++) writeFileSync(join(docs, `z many ${index}`), '');
    process.kill(product.pid, 'SIGCONT');
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '63', soon);
    await expect(page.locator('[data-seen-unfolding]')).toHaveCount(1);
  });
});

test(
  'twenty tabs share one connection, and closing any of them loses nothing',
  extended,
  async ({ context, page, product, root }) => {
    await write(join(root, 'docs', 'a.txt'), 'a');
    await signIn(page, product, { at: '/files/docs/' });
    await waitUntilFollowed(page, root);
    const tabs = [page];
    while (tabs.length < 20) {
      const tab = await context.newPage();
      await openDocs(tab, product.url);
      tabs.push(tab);
    }
    const [first, second, last] = [tabs[0], tabs[1], tabs[19]];
    if (first === undefined || second === undefined || last === undefined)
      throw new Error('tabs are missing');

    await test.step('requests and transfers still run in the last one', async () => {
      const statuses = await last.evaluate(async () => {
        const headers = { 'X-Auth': localStorage.getItem('jwt') ?? '' };
        const upload = (name: string): Promise<Response> =>
          fetch(`/api/resources/docs/${name}`, { method: 'POST', headers, body: 'x' });
        const requests = [...['u1', 'u2', 'u3', 'u4'].map(upload), fetch('/api/raw/docs/a.txt', { headers })];
        return Promise.all(requests.map(async (request) => (await request).status));
      });
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      // Twenty pages of one browser render in turns; other tests measure how soon a change is shown.
      for (const tab of [first, second, last]) await expect(entry(tab, 'u4')).toBeVisible();
    });

    await test.step('the server has one stream: of the 20 of a user, 19 are free', async () => {
      const token = await signInByApi(product);
      // Node closes the connection of a response that is no longer referenced, whenever it collects garbage.
      const responses: Response[] = [];
      const open = async (): Promise<number> => {
        const response = await fetch(`${product.url}/api/live`, { headers: { 'X-Auth': token } });
        responses.push(response);
        return response.status;
      };
      for (let count = 0; count < 19; count++) expect(await open()).toBe(200);
      expect(await open()).toBe(429);
      for (const { body } of responses) await body?.cancel();
    });

    await test.step('the others still follow after the first one was closed', async () => {
      await first.close();
      await write(join(root, 'docs', 'later.txt'), '');
      for (const tab of [second, last]) await expect(entry(tab, 'later.txt')).toBeVisible();
    });
  },
);

test(
  'without shared workers only a visible window is connected, and it catches up',
  extended,
  async ({ page, product, root }) => {
    await page.addInitScript(() => void Reflect.deleteProperty(globalThis, 'SharedWorker'));
    await write(join(root, 'docs', 'a.txt'), 'a');
    await signIn(page, product, { at: '/files/docs/' });
    await waitUntilFollowed(page, root);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await write(join(root, 'docs', 'meanwhile.txt'), '');
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'visibilityState');
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect(entry(page, 'meanwhile.txt')).toBeVisible(soon);
  },
);

test.describe('on a disk that reports no changes', () => {
  test.use({ flags: ['--watchFolders=0'] });

  test(
    'open folders are read every few seconds, and the page says so',
    extended,
    async ({ page, product, root }) => {
      await write(join(root, 'docs', 'a.txt'), 'a');
      await signIn(page, product, { at: '/files/docs/' });
      await expect(
        page.getByText('Changes that others make here may appear some seconds late.'),
      ).toBeVisible();
      await write(join(root, 'docs', 'polled.txt'), '');
      await expect(entry(page, 'polled.txt')).toBeVisible();
    },
  );
});

test.describe('behind nginx', () => {
  test.skip(!hasNginx, 'nginx is not installed');

  for (const [name, extra] of [
    ['with the lines of the guide', ''],
    [
      'that buffers events',
      'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering; proxy_buffers 8 64k;',
    ],
  ] as const) {
    test(`changes appear ${name}`, extended, async ({ page, product, problems, root }) => {
      const nginx = await startNginx(product.url, extra);
      problems.allow(new RegExp(`another origin: ${nginx.url}`, 'u'));
      try {
        await write(join(root, 'docs', 'a.txt'), 'a');
        await signIn(page, { ...product, url: nginx.url }, { at: '/files/docs/' });
        await waitUntilFollowed(page, root);
        await write(join(root, 'docs', 'through-nginx.txt'), '');
        await expect(entry(page, 'through-nginx.txt')).toBeVisible({ timeout: 7_000 });
      } finally {
        await page.close();
        await nginx.stop();
      }
    });
  }
});
