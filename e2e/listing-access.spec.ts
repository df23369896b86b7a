// The accessibility tree of the listing over 100,000 entries, in each view, and real touch events on the listing.
// Both are here because they share one build of the page.
import { expect, type Page, test } from '@playwright/test';
import { findViolations } from './support/checks/axe.ts';
import { extended } from './support/extended.ts';
import { nameOf } from './support/journey.ts';
import {
  firstBelow,
  openListing,
  positions,
  probeCalls,
  rowAt,
  rows,
  scrollTo,
  type View,
} from './support/listing/listing-page.ts';
import { type ListingProbe, startListingProbe } from './support/listing/listing-probe.ts';
import { centerOf, doubleTap } from './support/touch.ts';
import { waitUntilSettled } from './support/wait-until-settled.ts';

const count = 100_000;

/** Longer than the timeouts of a double tap (300 ms) and a long press (500 ms). */
const slowTapPauseMs = 400;
const longPressPauseMs = 650;

let probe: ListingProbe;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  probe = await startListingProbe();
});
test.afterAll(() => probe.stop());

for (const view of ['list', 'mosaic', 'mosaic gallery'] as const satisfies readonly View[]) {
  for (const { label, size, theme } of [
    { label: 'desktop', size: { width: 1280, height: 800 }, theme: 'light' },
    { label: 'phone', size: { width: 375, height: 760 }, theme: 'dark' },
  ]) {
    // The list in both sizes, the others by turns.
    const isExtra =
      (view === 'mosaic' && label === 'phone') || (view === 'mosaic gallery' && label === 'desktop');
    test(
      `the listing is exposed to assistive technology: ${view}, ${label}`,
      isExtra ? extended : {},
      async ({ page }) => {
        await page.setViewportSize(size);
        await openListing(probe, page, { count, view, thumbnails: 1 });
        await page.evaluate(() => window.probe.handle?.focus());
        await page.keyboard.press('PageDown');
        await rows(page)
          .nth(2)
          .click({ position: { x: 60, y: 30 } });
        await scrollTo(page, 6000);
        await firstBelow(page, 0);
        await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme);
        await waitUntilSettled(page);
        const violations = await findViolations(page, {
          rules: { 'label-content-name-mismatch': { enabled: true } },
        });
        expect(violations).toEqual([]);
        await expectAccessibleTree(page, view);
      },
    );
  }
}

interface TreeNode {
  role: string;
  name: string;
  properties: Record<string, unknown>;
}

/** Checks the accessibility tree, because axe does not report rows without names. */
async function expectAccessibleTree(page: Page, view: View): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const tree: TreeNode[] = nodes.map((node) => ({
    role: String(node.role?.value ?? ''),
    name: String(node.name?.value ?? ''),
    properties: Object.fromEntries((node.properties ?? []).map(({ name: key, value }) => [key, value.value])),
  }));
  const renderedRows = await rows(page).evaluateAll((elements) =>
    elements.map((element) => ({
      name: window.probe.model.name(Number((element as HTMLElement).dataset['id'])),
      position: window.probe.model.position(Number((element as HTMLElement).dataset['id'])) ?? -1,
      rowIndex: Number(element.getAttribute('aria-rowindex')),
      posInSet: Number(element.getAttribute('aria-posinset')),
      setSize: Number(element.getAttribute('aria-setsize')),
    })),
  );
  const exposedRows = tree.filter(({ role, name: label }) =>
    view === 'list' ? role === 'row' && !/^(?:Select all )?Name/u.test(label) : role === 'option',
  );
  expect(exposedRows.length).toBe(renderedRows.length);
  for (const [index, row] of renderedRows.entries())
    expect(exposedRows[index]?.name.startsWith(row.name)).toBe(true);
  expect(renderedRows.map(({ position }) => position)).toEqual(
    renderedRows.map(({ position }) => position).toSorted((a, b) => a - b),
  );
  expect(
    tree.filter(({ role, properties }) => properties['focused'] === true && role !== 'RootWebArea'),
  ).toHaveLength(1);
  expect(tree.some(({ properties }) => properties['multiselectable'] === true)).toBe(true);
  if (view === 'list') {
    // Phones have no row of column heads.
    const headRows = (page.viewportSize()?.width ?? 0) <= 736 ? 0 : 1;
    expect(await page.getByRole('columnheader').count()).toBe(headRows * 4);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(count + headRows));
    for (const { rowIndex, position } of renderedRows) expect(rowIndex).toBe(position + headRows + 1);
  } else {
    for (const { posInSet, setSize, position } of renderedRows) {
      expect(posInSet).toBe(position + 1);
      expect(setSize).toBe(count);
    }
  }
  const dangling = await page.evaluate(() => {
    const attributes = [
      'aria-labelledby',
      'aria-describedby',
      'aria-controls',
      'aria-owns',
      'aria-activedescendant',
    ];
    return attributes.flatMap((attribute) =>
      Array.from(document.querySelectorAll(`[${attribute}]`)).flatMap((element) =>
        (element.getAttribute(attribute) ?? '')
          .split(/\s+/)
          .filter((id) => document.getElementById(id) === null),
      ),
    );
  });
  expect(dangling).toEqual([]);
}

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 375, height: 760 } });

  test('a folder opens by its name, a file by two taps, and nothing scrolls sideways', async ({ page }) => {
    await openListing(probe, page, { count: 300, view: 'list' });
    await nameOf(rowAt(page, 0)).tap();
    expect(await probeCalls(page, 'open')).toHaveLength(1);
    const file = rowAt(page, 7);
    await nameOf(file).tap();
    expect(await probeCalls(page, 'open')).toHaveLength(1);
    expect(await positions(page)).toEqual([7]);
    await page.waitForTimeout(slowTapPauseMs);
    await doubleTap(page, nameOf(file));
    await expect.poll(async () => (await probeCalls(page, 'open')).length).toBe(2);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    const box = await rowAt(page, 0).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
  });

  test('two taps open while the page is busy, two slow ones do not', async ({ page }) => {
    await openListing(probe, page, { count: 300, view: 'list' });
    const file = rowAt(page, 7);
    await nameOf(file).tap();
    await page.waitForTimeout(slowTapPauseMs);
    await nameOf(file).tap();
    expect(await probeCalls(page, 'open')).toEqual([]);
    await page.evaluate(() => {
      const change = () => {
        const end = performance.now() + 600;
        while (performance.now() < end);
      };
      document.addEventListener('click', change, { once: true });
    });
    await doubleTap(page, nameOf(rowAt(page, 8)));
    await expect.poll(async () => (await probeCalls(page, 'open')).length).toBe(1);
  });

  test('a long press selects, taps then add and remove, a moving finger does neither', async ({ page }) => {
    await openListing(probe, page, { count: 300, view: 'list' });
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const at7 = await centerOf(nameOf(rowAt(page, 7)));
    await send('touchStart', [at7]);
    await expect.poll(() => page.evaluate(() => window.probe.model.isSelecting)).toBe(true);
    await send('touchEnd', []);
    expect(await positions(page)).toEqual([7]);
    await nameOf(rowAt(page, 8)).tap();
    await nameOf(rowAt(page, 0)).tap();
    expect(await positions(page)).toEqual([0, 7, 8]);
    await nameOf(rowAt(page, 7)).tap();
    expect(await positions(page)).toEqual([0, 8]);
    const from = await centerOf(nameOf(rowAt(page, 9)));
    await send('touchStart', [from]);
    await send('touchMove', [{ x: from.x, y: from.y - 60 }]);
    await page.waitForTimeout(longPressPauseMs);
    await send('touchEnd', []);
    expect(await positions(page)).toEqual([0, 8]);
    expect(await probeCalls(page, 'open')).toEqual([]);
  });
});
