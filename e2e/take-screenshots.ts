// Takes screenshots of every screen in several forms and reports texts that are cut off.
// Usage: tsx e2e/take-screenshots.ts FOLDER [PART OF A SCREEN'S NAME] [LOCALES INSTEAD OF THE USUAL FORMS]
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { chromiumOptions } from './chromium.ts';
import { overflowOf } from './support/checks/overflow.ts';
import { type Product, startProduct } from './support/product.ts';
import { makeDemoTree } from './screens/demo-tree.ts';
import { screenBatches } from './screens/index.ts';
import { prepareViewers, setStage, stageFlags } from './screens/set-stage.ts';
import { waitUntilSettled } from './support/wait-until-settled.ts';

/** A language, theme and device in which all screens are taken. `name` is that of their folder. */
interface Form {
  readonly name: string;
  readonly locale: string;
  /** The language of the browser. */
  readonly language: string;
  readonly scheme: 'light' | 'dark';
  readonly isPhone: boolean;
}

const forms: readonly Form[] = [
  { name: 'light', locale: 'en', language: 'en-GB', scheme: 'light', isPhone: false },
  { name: 'dark', locale: 'en', language: 'en-GB', scheme: 'dark', isPhone: false },
  { name: 'phone', locale: 'en', language: 'en-GB', scheme: 'light', isPhone: true },
  { name: 'german', locale: 'de', language: 'de-DE', scheme: 'light', isPhone: false },
  { name: 'arabic', locale: 'ar', language: 'ar', scheme: 'light', isPhone: false },
  { name: 'arabic-phone', locale: 'ar', language: 'ar', scheme: 'dark', isPhone: true },
];

/** The forms of one language: on the desktop and on the phone. */
const formsOf = (locale: string): Form[] => {
  const language = new Map([['ua', 'uk']]).get(locale) ?? locale;
  const common = { locale, language, scheme: 'light' } as const;
  return [
    { ...common, name: locale, isPhone: false },
    { ...common, name: `${locale}-phone`, isPhone: true },
  ];
};

/** Takes the screens whose names contain `namePart` in one form. */
async function takeScreenshots(
  browser: Browser,
  form: Form,
  options: { folder: string; namePart: string },
  server: {
    product: Product;
    root: string;
    token: string;
  },
): Promise<void> {
  const { isPhone, locale, language, scheme } = form;
  await mkdir(join(options.folder, form.name), { recursive: true });
  for (const { as: viewer, screens } of screenBatches) {
    const device = isPhone ? 'phone' : 'desktop';
    const matching = screens.filter(
      ({ name, only }) => (only ?? device) === device && name.includes(options.namePart),
    );
    if (matching.length === 0) continue;
    const context = await browser.newContext({
      viewport: isPhone ? { width: 375, height: 812 } : { width: 1280, height: 800 },
      ...(isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
      locale: language,
      colorScheme: scheme,
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(10_000);
    const stage = await setStage(context, { ...server, viewer, isPhone, locale });
    for (const screen of matching) {
      let isOpen = false;
      try {
        await screen.open(stage);
        isOpen = true;
        await waitUntilSettled(stage.page);
        for (const cut of await overflowOf(stage.page)) {
          console.error(`${form.name}/${screen.name}: ${cut}`);
        }
      } catch (error) {
        console.error(`${form.name}/${screen.name}: ${String(error).split('\n')[0] ?? ''}`);
        process.exitCode = 1;
      }
      await stage.page.screenshot({ path: join(options.folder, form.name, `${screen.name}.png`) });
      if (isOpen) await screen.close?.(stage);
    }
    await context.close();
  }
  console.log(`${form.name}: done`);
}

const { positionals } = parseArgs({ allowPositionals: true });
const [folderName = 'screenshots', namePart = '', ...locales] = positionals;
const folder = resolve(folderName);
const root = await mkdtemp(join(tmpdir(), 'filestead-root-'));
await makeDemoTree(root);
const product = await startProduct(root, { args: [...stageFlags] });
const browser = await chromium.launch(chromiumOptions);
try {
  const token = await prepareViewers(product);
  for (const form of locales.length > 0 ? locales.flatMap(formsOf) : forms) {
    await takeScreenshots(browser, form, { folder, namePart }, { product, root, token });
  }
} finally {
  await browser.close();
  await product.stop();
  await rm(root, { recursive: true, force: true });
}
