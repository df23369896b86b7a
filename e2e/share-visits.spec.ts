// The pages of shares, as visitors see them.
import { join } from 'node:path';
import { extended } from './support/extended.ts';
import { allowSignup } from './support/api.ts';
import { expect, test } from './support/fixtures.ts';
import { listing, signIn } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';
import { downloaded, shareAsAdministrator, sharer, useSharedTree, visit } from './support/shared-tree.ts';

const secret = 'lisbon ü 28';

useSharedTree();

test('a visitor navigates a deep folder and a long one', extended, async ({ page, product, browser }) => {
  const tripHash = await shareAsAdministrator(product, '/Trip/');
  await page.goto(`${product.url}/share/${tripHash}`);
  for (const name of ['Old town', 'One', 'Two', 'Three']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  }
  const crumbs = page.getByRole('navigation', { name: 'Path' });
  await expect(crumbs.getByRole('listitem')).toHaveText(['', '...', 'One', 'Two', 'Three']);
  await page.getByRole('link', { name: 'map.txt' }).click();
  const previewer = page.getByRole('dialog', { name: 'map.txt' });
  await expect(previewer.getByText('a map')).toBeVisible();
  const fileAddress = page.url();
  await page.keyboard.press('Escape');
  await expect(previewer).toBeHidden();
  // When it is passed on to another visitor, the address shows the page of the file.
  const other = await visit(browser, fileAddress);
  await expect(other.page.getByRole('region', { name: 'Download file' })).toBeVisible();
  await other.page.getByRole('button', { name: 'Preview' }).click();
  await expect(other.page.getByRole('dialog', { name: 'map.txt' }).getByText('a map')).toBeVisible();
  await other.context.close();
  await crumbs.getByRole('link', { name: 'Old town' }).click();
  await expect(page.getByRole('heading', { name: 'Old town', level: 1 })).toBeVisible();

  await page.goto(`${product.url}/share/${await shareAsAdministrator(product, '/Many/')}`);
  const items = page.getByRole('region', { name: 'Files' }).getByRole('link');
  await expect(items).toHaveCount(100);
  await page.getByRole('button', { name: '+130 Show more' }).click();
  await expect(items).toHaveCount(200);
  await page.getByRole('button', { name: '+30 Show more' }).click();
  await expect(items).toHaveCount(230);
  await page.getByRole('button', { name: 'Other formats' }).click();
  const tar = await downloaded(page, () => page.getByRole('menuitem', { name: 'tar', exact: true }).click());
  expect(tar.name).toBe('Many.tar');
});

test(
  'a visitor has Login and, where it is allowed, Sign up within sight',
  extended,
  async ({ page, product }) => {
    const address = `${product.url}/share/${await shareAsAdministrator(product, '/Many/')}`;
    const login = page.getByRole('link', { name: 'Login' });
    const signUp = page.getByRole('link', { name: 'Sign up' });
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(address);
      await expect(login).toBeInViewport({ ratio: 1 });
      await expect(signUp).toBeHidden();
    }
    await allowSignup(product, await signInByApi(product));
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(address);
      await expect(login).toBeInViewport({ ratio: 1 });
      await expect(signUp).toBeInViewport({ ratio: 1 });
    }
    await signUp.click();
    await expect(page.getByLabel('Password confirmation')).toBeVisible();
  },
);

test('a visit loads neither the files screen nor any data of the owner', async ({ page, product }) => {
  const fetched: string[] = [];
  page.on('response', (response) => fetched.push(new URL(response.url()).pathname));
  await page.goto(`${product.url}/share/${await shareAsAdministrator(product, '/Trip/')}`);
  await expect(page.getByRole('heading', { name: 'Trip', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(fetched.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/public/'))).toEqual([]);
  const ofFilesScreen = (path: string) => /\/files-page-[^/]*[.]js$/u.test(path);
  expect(fetched.filter(ofFilesScreen)).toEqual([]);
  await signIn(page, product);
  await expect.poll(() => fetched.filter(ofFilesScreen)).toHaveLength(1);
});

test(
  'a signed-in user stays signed in on the page of another user’s share',
  extended,
  async ({ page, product }) => {
    const hash = await shareAsAdministrator(product, '/Trip/', { password: secret });
    await signIn(page, product, { ...sharer, at: `/share/${hash}` });
    await page.getByLabel('Password', { exact: true }).fill('a guess');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Wrong credentials')).toBeVisible();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'My files' }).click();
    await expect(listing(page, 'My files')).toBeVisible();
  },
);

test(
  'a share of a single file has a page of its own, which opens it in the previewer',
  extended,
  async ({ page, product }) => {
    const hash = await shareAsAdministrator(product, '/Trip/tram.png', { expires: '40', unit: 'days' });
    await page.goto('about:blank');
    await page.goto(`${product.url}/share/${hash}`);
    await expect(page.getByRole('heading', { name: 'tram.png', level: 1 })).toBeVisible();
    await expect(page.getByText(/^Shared until /u)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'tram.png' }).click();
    const previewer = page.getByRole('dialog', { name: 'tram.png' });
    await expect(previewer.getByRole('img', { name: /tram\.png/u })).toBeVisible();
    await expect(previewer.getByRole('button', { name: 'Next' })).toBeHidden();
    await page.keyboard.press('i');
    await expect(previewer.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(previewer).toBeHidden();
    await expect(page.getByRole('heading', { name: 'tram.png', level: 1 })).toBeVisible();
    expect(page.url()).toBe(`${product.url}/share/${hash}`);
  },
);

test(
  'a visitor downloads a selection that is too long for an address',
  extended,
  async ({ page, product, root }) => {
    for (let number = 100; number < 400; number++) {
      await write(join(root, 'Album', `a photograph with a rather long name ${number}.txt`), 'x');
    }
    await page.goto(`${product.url}/share/${await shareAsAdministrator(product, '/Album/')}`);
    await page.getByRole('button', { name: 'Select multiple' }).click();
    const all = page.getByRole('checkbox', { name: '0 selected' });
    await all.click({ force: true });
    await page.getByRole('button', { name: 'a photograph with a rather long name 100.txt' }).click();
    const archive = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download 299 items' }).click(),
    );
    const text = archive.bytes.toString('latin1');
    expect(text).toContain('long name 399.txt');
    expect(text).not.toContain('long name 100.txt');
  },
);

test.describe('on the phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test(
    'a visitor opens, selects and downloads, and nothing scrolls sideways',
    extended,
    async ({ page, product }) => {
      await page.goto(`${product.url}/share/${await shareAsAdministrator(product, '/Trip/')}`);
      await page.getByRole('button', { name: 'Select multiple' }).tap();
      await page.getByRole('button', { name: 'notes.txt' }).tap();
      await page.getByRole('button', { name: 'song.wav' }).tap();
      const archive = await downloaded(page, () =>
        page.getByRole('button', { name: 'Download 2 items' }).tap(),
      );
      expect(archive.bytes.subarray(0, 2).toString()).toBe('PK');
      await page.getByRole('button', { name: 'Clear', exact: true }).tap();
      await page.getByRole('link', { name: 'song.wav' }).tap();
      await expect(
        page.getByRole('dialog', { name: 'song.wav' }).getByRole('slider', { name: 'Position' }),
      ).toBeEnabled();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    },
  );
});
