import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

/** WCAG 2.2 up to level AA, and best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme: all others check the document only. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Describing the elements that pass would take as long as checking them. */
const axe = (page: Page): AxeBuilder => new AxeBuilder({ page }).options({ resultTypes: ['violations'] });

/** Expects that axe finds no violation on the current screen; `screen` identifies it in a failure. */
export const checkScreen = (page: Page, screen: string): Promise<void> =>
  expectNoViolations(page, screen, axe(page).withTags(rules));

/** Checks another theme of a screen that {@link checkScreen} has already checked. */
export const checkColors = (page: Page, screen: string): Promise<void> =>
  expectNoViolations(page, screen, axe(page).withRules(colorRules));

declare global {
  interface Window {
    keepControlsVisible?: ReturnType<typeof setInterval>;
  }
}

/** Keeps auto-hiding elements visible: while they are fading, they have no stable contrast. */
async function keepControlsVisible(page: Page): Promise<void> {
  await page.evaluate(() => {
    const move = (): void => {
      const previewer = document.querySelector('[class*="_previewer_"]');
      previewer?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
    };
    move();
    window.keepControlsVisible ??= setInterval(move, 250);
  });
  await page.waitForFunction(() => document.querySelector('[data-idle]') === null);
}

async function expectNoViolations(page: Page, screen: string, builder: AxeBuilder): Promise<void> {
  await test.step(`axe: ${screen}`, async () => {
    await keepControlsVisible(page);
    await waitUntilSettled(page);
    const { violations } = await builder.setLegacyMode(true).analyze();
    const findings = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
    expect.soft(findings, screen).toEqual([]);
  });
}
