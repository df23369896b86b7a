// All parts of the interface in all states (web/kitchen-sink/): their looks and their contrast.
import { expect, test } from '@playwright/test';
import { findViolations } from './support/checks/axe.ts';
import { type BuiltPage, startBuiltPage } from './support/built-page.ts';
import { expectPicture } from './support/pictures/reference.ts';
import { waitUntilSettled } from './support/wait-until-settled.ts';

let sink: BuiltPage;
test.beforeAll(async () => {
  sink = await startBuiltPage('kitchen-sink/vite.config.ts', 'index.html');
});
test.afterAll(() => sink.stop());

for (const { name, theme, language } of [
  { name: 'light', theme: 'light', language: 'en' },
  { name: 'dark', theme: 'dark', language: 'en' },
  { name: 'right-to-left', theme: 'light', language: 'ar' },
] as const) {
  test(`every part of the interface looks like its reference picture and is accessible in all states: ${name}`, async ({
    page,
  }) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${sink.url}?language=${language}`);
    await page.getByRole('heading', { level: 3 }).last().waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: 1280, height });
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    await waitUntilSettled(page);
    expect(errors).toEqual([]);
    await expectPicture(page, `kitchen-sink/${name}`);
    if (language !== 'en') return;
    expect(await findViolations(page)).toEqual([]);
  });
}
