import { check } from './axe.ts';
import { test } from './fixtures.ts';
import { makeDemoTree } from './screens/demo-tree.ts';
import { screens } from './screens/index.ts';
import type { Viewer } from './screens/screen.ts';
import { prepareViewers, setStage, stageFlags } from './screens/set-stage.ts';

const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };
const viewers: readonly Viewer[] = ['administrator', 'user', 'visitor'];

for (const device of ['desktop', 'phone'] as const) {
  test.describe(device, () => {
    test.use({ ...(device === 'phone' && phone), flags: stageFlags });

    test(`axe finds nothing on any screen, light or dark: ${device}`, async ({
      context,
      product,
      root,
      troubles,
    }) => {
      test.setTimeout(600_000);
      // Screens of what is missing, forbidden or locked.
      troubles.allow(/status of (?:401|403|404|501|503)/u);
      await makeDemoTree(root);
      const token = await prepareViewers(product);
      for (const viewer of viewers) {
        const isPhone = device === 'phone';
        const stage = await setStage(context, { product, token, root, viewer, isPhone, locale: 'en' });
        const shown = screens.filter(({ as, only }) => as === viewer && (only ?? device) === device);
        for (const screen of shown) {
          await test.step(screen.name, async () => {
            await screen.open(stage);
            for (const colorScheme of ['light', 'dark'] as const) {
              await stage.page.emulateMedia({ colorScheme });
              await check(stage.page, `${screen.name}, ${colorScheme}`);
            }
          });
        }
        await context.clearCookies();
        await stage.page.evaluate(() => localStorage.clear());
        await stage.page.close();
      }
    });
  });
}
