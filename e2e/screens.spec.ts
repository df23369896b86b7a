import type { Page } from '@playwright/test';
import { checkScreen, checkColors } from './support/checks/axe.ts';
import { isExtended } from './support/extended.ts';
import { expect, test } from './support/fixtures.ts';
import { overflowOf } from './support/checks/overflow.ts';
import { makeDemoTree } from './screens/demo-tree.ts';
import { screenBatches } from './screens/index.ts';
import type { Screen } from './screens/screen.ts';
import { prepareViewers, setStage, stageFlags } from './screens/set-stage.ts';
import { expectPicture, expectPictures } from './support/pictures/reference.ts';
import { smallTargetsOf } from './support/checks/targets.ts';

/**
 * Most screens are compared with their pictures by `npm run screenshots -- compare` only: they depend on the state that earlier screens
 * have left, which would fail other tests of the same run. See {@link Screen.picture}.
 */
const comparesPictures =
  process.env['FILESTEAD_COMPARE_PICTURES'] === '1' || process.env['FILESTEAD_RENEW_PICTURES'] === '1';

/** Whether every screen runs on both devices; otherwise only some do, see {@link runsOn}. */
const runsAll = isExtended || comparesPictures;

type Device = 'desktop' | 'phone';

/** Whether a short run checks the screen on this device: the devices take turns. */
const runsOn = (device: Device, { only }: Screen, index: number): boolean =>
  only !== undefined || (index % 2 === 0 ? 'desktop' : 'phone') === device;

const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };

/** The theme in which all axe rules are checked on each device: both devices together cover both themes. */
const themeOf = { desktop: 'light', phone: 'dark' } as const;

/** Half of the 1280 px at which a page is read with 200 % zoom, and the minimum of WCAG 1.4.10. */
const narrowPx = { desktop: 640, phone: 320 };

const softExpect = expect.configure({ soft: true });

/** Expects that no text is cut off and nothing scrolls sideways, after the layout has settled. */
async function expectNoOverflow(page: Page, message: string): Promise<void> {
  await softExpect.poll(() => overflowOf(page), { message, timeout: 3_000 }).toEqual([]);
}

/** Checks the layout at the current width and at a narrow one. */
async function checkLayout(page: Page, name: string, narrow: number): Promise<void> {
  await expectNoOverflow(page, name);
  const size = page.viewportSize() ?? phone.viewport;
  await page.setViewportSize({ ...size, width: narrow });
  await expectNoOverflow(page, `${name}, ${narrow} px wide`);
  await page.setViewportSize(size);
}

// These tests take longest. Each starts a product, so that they run in parallel.
test.describe.configure({ mode: 'parallel' });

for (const device of ['desktop', 'phone'] as const) {
  const isPhone = device === 'phone';
  test.describe(device, () => {
    test.use({ ...(isPhone && phone), flags: stageFlags });

    for (const { title, as: viewer, screens } of screenBatches) {
      test(`every screen is accessible in light and dark, and nothing overflows: ${title}`, async ({
        context,
        product,
        root,
        problems,
      }) => {
        test.setTimeout(900_000);
        // Screens of entries that are missing, forbidden, locked, or were changed meanwhile.
        problems.allow(/status of (?:401|403|404|412|422|501|503)/u);
        await makeDemoTree(root);
        const token = await prepareViewers(product);
        const stage = await setStage(context, { product, token, root, viewer, isPhone, locale: 'en' });
        const { page } = stage;
        const matching = screens.filter(
          (screen, index) => (screen.only ?? device) === device && (runsAll || runsOn(device, screen, index)),
        );
        expect(matching.length).toBeGreaterThan(0);
        for (const { name, only, picture, open, close } of matching) {
          // A screen that does not open fails the test, but not before the others are checked.
          const failure = await test
            .step(name, async () => {
              const theme = themeOf[device];
              await page.emulateMedia({ colorScheme: theme });
              await open(stage);
              await checkScreen(page, `${name}, ${theme}`);
              if (picture === 'always' || (comparesPictures && picture !== 'never'))
                await expectPicture(page, `${device}/${name}`);
              if (isPhone) expect.soft(await smallTargetsOf(page), name).toEqual([]);
              if (only !== undefined) {
                const other = theme === 'light' ? 'dark' : 'light';
                await page.emulateMedia({ colorScheme: other });
                await checkColors(page, `${name}, ${other}`);
              }
              await checkLayout(page, name, narrowPx[device]);
              await close?.(stage);
              return null;
            })
            .catch((error: unknown) => String(error));
          softExpect(failure, `${name} opens and closes`).toBeNull();
        }
      });
    }
  });
}

test('every reference picture belongs to a screen', async () => {
  const names = screenBatches.flatMap(({ screens }) =>
    screens.flatMap(({ name, only, picture }) =>
      (['desktop', 'phone'] as const)
        .filter((device) => (only ?? device) === device && picture !== 'never')
        .map((device) => `${device}/${name}`),
    ),
  );
  await expectPictures(['desktop', 'phone'], names);
});
