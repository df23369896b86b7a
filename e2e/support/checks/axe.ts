import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, test } from '../fixtures.ts';
import { waitUntilSettled } from '../wait-until-settled.ts';

/** The code of axe. Parsing it takes as long as a check, so that each document loads it once. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The time for loading axe into a frame. Frames that run no scripts, such as sandboxed documents, never answer. */
const frameTimeoutMs = 1_000;

/** WCAG 2.2 up to level AA, and best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
/** The rules that depend on the theme: all others check the document only. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Expects that axe finds no violation on the current screen; `screen` identifies it in a failure. */
export const checkScreen = (page: Page, screen: string): Promise<void> =>
  expectNoViolations(page, screen, { runOnly: { type: 'tag', values: rules } });

/** Checks another theme of a screen that {@link checkScreen} has already checked. */
export const checkColors = (page: Page, screen: string): Promise<void> =>
  expectNoViolations(page, screen, { runOnly: { type: 'rule', values: colorRules } });

declare global {
  interface Window {
    axe?: { run(context: Document, options: RunOptions): Promise<AxeResults> };
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

async function loadAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => window.axe !== undefined))) await frame.evaluate(axeSource);
}

/** Loads axe into a frame of the page if that is possible; axe skips the others. */
async function loadAxeIfPossible(frame: Frame): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, frameTimeoutMs);
  });
  await Promise.race([loadAxe(frame).catch(() => undefined), timeout]);
  clearTimeout(timer);
}

/** A rule of axe that the page violates, with the elements that do. */
interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

/** Checks the page, with its frames of the same origin, against the rules of `options`, by default all of axe's. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<Violation[]> {
  const [main, ...frames] = page.frames();
  if (!main) throw new Error('The page has no document.');
  await loadAxe(main);
  for (const frame of frames) await loadAxeIfPossible(frame);
  return page.evaluate(async (given) => {
    if (!window.axe) throw new Error('The document has changed while axe was loaded.');
    // Describing the elements that pass would take as long as checking them.
    const { violations } = await window.axe.run(document, { ...given, resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
  }, options);
}

async function expectNoViolations(page: Page, screen: string, options: RunOptions): Promise<void> {
  await test.step(`axe: ${screen}`, async () => {
    await keepControlsVisible(page);
    await waitUntilSettled(page);
    expect.soft(await findViolations(page, options), screen).toEqual([]);
  });
}
