import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from '@playwright/test';
import { allowSignup, createUser, ordinaryPermissions } from '../support/api.ts';
import { waitFrames } from '../support/listing/listing-page.ts';
import { type Product, signInByApi } from '../support/product.ts';
import { type Stage, type Viewer, textOf } from './screen.ts';

/** The ordinary user of the stage. */
export const ordinaryUser = { username: 'maria', password: 'maria-keeps-a-secret' };

/** Enables the shell, which has screens of its own. */
export const stageFlags: string[] = ['--enableExec', '--execUnsandboxed'];

/** Creates the ordinary user and enables sign-up. Returns the administrator's token. */
export async function prepareViewers(product: Product): Promise<string> {
  const token = await signInByApi(product);
  await createUser(product, token, { ...ordinaryUser, scope: '/', perm: ordinaryPermissions });
  await allowSignup(product, token, {});
  return token;
}

/** The interval between two checks. The default, every frame, would make a page render 60 times a second while it loads. */
const pollingMs = 50;

/** Whether the page has a heading and nothing in it is loading. */
const isScreenShown = (): boolean =>
  document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null;

/**
 * Goes to a path within the open document, as the browser's buttons do. Does nothing while a dialog or menu is open, which Back
 * would only close. Returns whether it did.
 */
const goInside = (page: Page, path: string): Promise<boolean> =>
  page.evaluate(async (to) => {
    if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=log], [inert]'))
      return false;
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    // The router renders in the next frame at the latest, or requests the code of the screen.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return true;
  }, path);

/**
 * Creates {@link Stage.go}: goes to a path of the product and waits until its screen is rendered and no request is
 * pending. A new document costs as much as all checks of a screen, so that one is loaded only where it is needed.
 */
function createGo(page: Page, product: Product): Stage['go'] {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    // Playwright does not report when the request for the script of a shared worker ends.
    if (!request.url().includes('/live-worker')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async (path, { isNew = false } = {}) => {
    // Leaving a screen cancels its requests, and Playwright does not report all of these.
    pending.clear();
    const isOpen = page.url().startsWith(`${product.url}/`) && !page.url().endsWith('/login');
    if (isNew || !isOpen || !(await goInside(page, path))) await page.goto(`${product.url}${path}`);
    // A screen whose code has arrived renders in the next frames.
    let isRendered = false;
    while (!isRendered) {
      await page.waitForFunction(isScreenShown, undefined, { polling: pollingMs });
      if (pending.size > 0) {
        // Asking the page again at once would take the processor from the requests that are waited for.
        await sleep(pollingMs);
        continue;
      }
      await waitFrames(page, 2);
      isRendered = pending.size === 0 && (await page.evaluate(isScreenShown));
    }
  };
}

/** Opens a page of `context` for a viewer who is already signed in. */
export async function setStage(
  context: BrowserContext,
  parts: {
    product: Product;
    token: string;
    root: string;
    viewer: Viewer;
    isPhone: boolean;
    /** A locale of the product; the language of the context must select it. */
    locale: string;
  },
): Promise<Stage> {
  const { product, token, root, viewer, isPhone, locale } = parts;
  const page = await context.newPage();
  const go = createGo(page, product);
  if (viewer !== 'visitor') {
    const name = viewer === 'administrator' ? 'admin' : ordinaryUser.username;
    const password = viewer === 'administrator' ? product.password : ordinaryUser.password;
    await go('/login');
    await page.locator('input').first().fill(name);
    await page.locator('input[type="password"]').first().fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/files/**');
  }
  return { page, product, root, token, isPhone, text: textOf(locale), go };
}
