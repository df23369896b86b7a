import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { settled } from './settled.ts';

/** WCAG 2.2 up to level AA, and what is good practice beyond. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** Expects no finding of axe on what is shown now; `where` names it in a failure. */
export async function check(page: Page, where: string): Promise<void> {
  await test.step(`axe: ${where}`, async () => {
    await settled(page);
    const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode(true).analyze();
    const findings = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
    expect.soft(findings, where).toEqual([]);
  });
}
