import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allowSignup, fetchApi } from './support/api.ts';
import { checkScreen } from './support/checks/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { entry, fillLogin, listing, signIn, tabTo } from './support/journey.ts';
import { signInByApi } from './support/product.ts';
import { write } from './support/sample-files.ts';
import { join } from 'node:path';

test('a visitor signs up and is signed in', async ({ page, product, problems }) => {
  problems.allow(/status of (?:400|409)/u);
  await allowSignup(product, await signInByApi(product));
  await page.goto(`${product.url}/login`);
  await page.getByRole('button', { name: 'Sign up' }).click();
  const fill = async (name: string, password: string, again: string): Promise<void> => {
    await page.getByLabel('Username').fill(name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Password confirmation').fill(again);
    await page.getByRole('button', { name: 'Sign up' }).click();
  };
  await fill('eva', 'eva keeps a secret', 'another one');
  await expect(page.getByText("Passwords don't match")).toBeVisible();
  await expect(page.getByLabel('Password confirmation')).toBeFocused();
  await fill('admin', 'eva keeps a secret', 'eva keeps a secret');
  await expect(page.getByText('Username already taken')).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await fill('eva', 'short', 'short');
  await expect(page.getByText(/^The password needs at least \d+ characters\.$/u)).toBeVisible();
  await checkScreen(page, 'sign-up, password too short');
  await fill('eva', 'eva keeps a secret', 'eva keeps a secret');
  await expect(listing(page, 'My files').or(page.getByText('It feels lonely here...'))).toBeVisible();
});

test('signing in works by keyboard alone, and without sign-up there is no link to it', async ({
  page,
  product,
  root,
}) => {
  await write(join(root, 'readme.txt'), 'x');
  await page.goto(`${product.url}/login?redirect=%2Ffiles%2Freadme.txt`);
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Sign up' })).toHaveCount(0);
  await page.keyboard.type('admin');
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(product.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text of readme.txt' })).toBeVisible();
});

test('a session that is ended elsewhere shows the reason, and signing in returns to the page', async ({
  page,
  product,
  root,
  problems,
}) => {
  problems.allow(/status of 401/u);
  await write(join(root, 'Notes', 'a.txt'), 'x');
  await signIn(page, product, { at: '/files/Notes/' });
  await expect(listing(page, 'Notes')).toBeVisible();
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '');
  // No page is open that could notice the end before the next one loads.
  await page.goto('about:blank');
  await fetchApi(product, '/api/logout', token, { method: 'POST' });
  await page.goto(`${product.url}/files/Notes/`);
  await expect(page.getByText('Your session has ended. Sign in again to continue.')).toBeVisible();
  await fillLogin(page, 'admin', product.password);
  await expect(listing(page, 'Notes')).toBeVisible();
  await expect(entry(page, 'a.txt')).toBeFocused();
});

test.describe('with a captcha', () => {
  let service: Server;
  /** The bodies of the requests in which the server verified a response. */
  let verifications: string[];

  test.beforeAll(async () => {
    verifications = [];
    service = createServer((request, response) => {
      if (request.url?.startsWith('/recaptcha/api.js')) {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(
          `window.grecaptcha = { reset() {}, render(place, options) {
            const button = document.createElement('button');
            button.type = 'button';
            button.textContent = 'I am not a robot';
            button.addEventListener('click', () => options.callback('solved by ' + options.sitekey));
            place.append(button);
            return 0;
          } };`,
        );
        return;
      }
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        verifications.push(body);
        response.setHeader('Content-Type', 'application/json');
        response.end(
          JSON.stringify({ success: new URLSearchParams(body).get('response') === 'solved by site' }),
        );
      });
    });
    await new Promise<void>((resolve) => {
      service.listen(0, '127.0.0.1', resolve);
    });
  });
  test.afterAll(() => service.close());

  test.use({
    flags: async ({ browserName: _browserName }, use) => {
      const { port } = service.address() as AddressInfo;
      await use([
        '--recaptcha.host',
        `http://127.0.0.1:${port}`,
        '--recaptcha.key',
        'site',
        '--recaptcha.secret',
        'hush',
      ]);
    },
  });

  test('the captcha has to be solved first', async ({ page, product, problems }) => {
    // The captcha service is the only other origin that the administrator has allowed.
    problems.allow(/request to another origin: http:\/\/127\.0\.0\.1:\d+\/recaptcha\/api\.js/u);
    await page.goto(`${product.url}/login`);
    const robot = page.getByRole('button', { name: 'I am not a robot' });
    await expect(robot).toBeVisible();
    await checkScreen(page, 'login with a captcha');
    await fillLogin(page, 'admin', product.password);
    await expect(page.getByText('Wrong credentials')).toBeVisible();
    expect(verifications).toEqual([]);
    await robot.click();
    await page.getByRole('button', { name: 'Login' }).click();
    await page.waitForURL('**/files/**');
    expect(verifications).toHaveLength(1);
  });
});

test('a user without a home folder sees no files until an administrator grants the scope in the settings', async ({
  page,
  product,
  root,
  browser,
  problems,
}) => {
  problems.allow(/status of 403/u);
  await write(join(root, 'letter.txt'), 'Dear all');
  await allowSignup(product, await signInByApi(product), {});
  const visitor = await browser.newPage();
  await visitor.goto(`${product.url}/login`);
  await visitor.getByRole('button', { name: 'Sign up' }).click();
  await visitor.getByLabel('Username').fill('visitor');
  await visitor.getByLabel('Password', { exact: true }).fill('four trams to Lisbon');
  await visitor.getByLabel('Password confirmation').fill('four trams to Lisbon');
  await visitor.getByRole('button', { name: 'Sign up' }).click();
  await expect(visitor.getByText('Your account has no files yet.')).toBeVisible();

  await signIn(page, product, { at: '/settings/global' });
  const confirmation = page.getByRole('switch', {
    name: 'People who sign up may see everything on this server',
  });
  await expect(confirmation).not.toBeChecked();
  await confirmation.check();
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  await visitor.getByRole('button', { name: 'Try again' }).click();
  await expect(listing(visitor, 'My files').getByText('letter.txt')).toBeVisible();
  await visitor.close();
});
