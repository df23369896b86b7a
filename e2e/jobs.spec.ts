import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { redirectAfterTransfers } from './support/api.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import {
  dialogOf,
  entry,
  listing,
  notice,
  openFolder,
  select,
  selectionBar,
  signIn,
} from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';

test('a job is shown, cancelled and retried, and continues after the page was closed', async ({
  page,
  product,
  root,
}) => {
  const names = Array.from({ length: 12 }, (_, index) => `item ${String(index).padStart(2, '0')}.txt`);
  for (const name of names) await write(join(root, 'from', name), name);
  await write(join(root, 'tree', 'in', 'a.txt'), 'a');
  for (let number = 0; number < 900; number++) {
    await write(join(root, 'tree', `f${number}`), Buffer.alloc(30_000, number));
  }
  await write(join(root, 'to', names[0] ?? ''), 'old');
  await redirectAfterTransfers(product, await signInByApi(product));
  await signIn(page, product);

  await test.step('one job moves many items after asking about conflicts', async () => {
    await openFolder(page, 'from');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+x');
    await page.goto(`${product.url}/files/to/`);
    // Another page load clears the cut entries.
    await page.goto(`${product.url}/files/from/`);
    await expect(listing(page, 'from')).toBeVisible();
    await page.keyboard.press('Control+a');
    const jobRequest = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/jobs'),
    );
    await selectionBar(page).getByRole('button', { name: 'Move to…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 12 items' });
    await dialog.getByRole('treeitem', { name: 'to', exact: true }).click();
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(dialogOf(page)).toContainText(`${names[0] ?? ''}`);
    await dialogOf(page).getByRole('button', { name: 'Keep both' }).click();
    await jobRequest;
    await expect(notice(page, '12 items moved to')).toBeVisible();
    // The user has chosen to be taken to the destination.
    await expect(listing(page, 'to')).toBeVisible();
    await expect(entry(page, 'item 00(1).txt')).toHaveAttribute('aria-selected', 'true');
    expect(await readdir(join(root, 'from'))).toEqual([]);
    expect(await readdir(join(root, 'to'))).toHaveLength(13);
    expect(await readFile(join(root, 'to', names[0] ?? ''), 'utf8')).toBe('old');
  });

  await test.step('the key undoes the move', async () => {
    await page.keyboard.press('Control+z');
    await expect(notice(page, 'Moved 12 items back to')).toBeVisible();
    expect((await readdir(join(root, 'from'))).toSorted()).toHaveLength(12);
    expect(await readdir(join(root, 'to'))).toEqual([names[0]]);
    await expect(entry(page, names[5] ?? '')).toBeHidden();
    await expect(entry(page, names[0] ?? '')).toBeVisible();
  });

  await test.step('a copy can be undone unless it was changed', async () => {
    await page.goto(`${product.url}/files/`);
    await select(page, 'to');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await expect(notice(page, /copied to/u)).toBeVisible();
    await expect(entry(page, 'to(1)')).toBeVisible();
    await write(join(root, 'to(1)', 'mine.txt'), 'mine');
    await page.keyboard.press('Control+z');
    await expect(notice(page, /has changed since/u)).toBeVisible();
    expect(await readdir(join(root, 'to(1)'))).toContain('mine.txt');
  });

  await test.step('after a reload the job is shown, can be cancelled, and lists its failures', async () => {
    const status = await page.evaluate(async () => {
      const items = Array.from({ length: 80 }, (_, index) => ({ from: '/tree', to: `/copies/${index}` }));
      const jobResponse = await fetch('/api/jobs', {
        method: 'POST',
        headers: { 'X-Auth': localStorage.getItem('jwt') ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'copy', items: [...items, { from: '/nothing', to: '/copies/x' }] }),
      });
      return jobResponse.status;
    });
    expect(status).toBe(202);
    await page.reload();
    const tray = page.getByRole('region', { name: 'Activity' });
    await expect(tray.getByRole('progressbar')).toBeVisible();
    // The tray does not collapse while the pointer is in it.
    await tray.hover();
    await expect(tray).toContainText('Copying 81 items');
    await expect(tray).toContainText(/MB of/u);
    await checkScreen(page, 'running work');
    await tray.getByRole('button', { name: /^Stop/u }).click();
    await expect(tray).toBeHidden();
    await page.evaluate(async () => {
      await fetch('/api/jobs', {
        method: 'POST',
        headers: { 'X-Auth': localStorage.getItem('jwt') ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify({ kind: 'delete', items: [{ from: '/gone' }, { from: '/never' }] }),
      });
    });
    await page.reload();
    await expect(tray).toContainText('2 of 2 items were not deleted.');
    await tray.getByRole('button', { name: 'Show why' }).click();
    await expect(tray.getByRole('list')).toContainText('It is no longer there.');
    await checkScreen(page, 'failures of work');
    await tray.getByRole('button', { name: 'Close this report' }).click();
    await expect(tray).toBeHidden();
    await page.reload();
    await expect(listing(page, 'My files')).toBeVisible();
    await expect(tray).toBeHidden();
  });
});
