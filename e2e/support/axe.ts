import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { settled } from './settled.ts';

/** WCAG 2.2 up to level AA, and best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme: all others check the document only. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/** Expects that axe finds no violation on the current screen; `where` identifies it in a failure. */
export const check = (page: Page, where: string): Promise<void> =>
  expectNothing(page, where, new AxeBuilder({ page }).withTags(rules));

/** Checks another theme of a screen that {@link check} has already checked. */
export const checkColours = (page: Page, where: string): Promise<void> =>
  expectNothing(page, where, new AxeBuilder({ page }).withRules(rulesOfColour));

declare global {
  interface Window {
    awake?: ReturnType<typeof setInterval>;
  }
}

/** Keeps auto-hiding elements visible: while they are fading, they have no stable contrast. */
async function keepAwake(page: Page): Promise<void> {
  await page.evaluate(() => {
    const move = (): void => {
      const previewer = document.querySelector('[class*="_previewer_"]');
      previewer?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
    };
    move();
    window.awake ??= setInterval(move, 250);
  });
  await page.waitForFunction(() => document.querySelector('[data-idle]') === null);
}

async function expectNothing(page: Page, where: string, builder: AxeBuilder): Promise<void> {
  await test.step(`axe: ${where}`, async () => {
    await keepAwake(page);
    await settled(page);
    const { violations } = await builder.setLegacyMode(true).analyze();
    const findings = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
    expect.soft(findings, where).toEqual([]);
  });
}
