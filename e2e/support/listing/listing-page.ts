import { expect, type Locator, type Page } from '@playwright/test';
import type { ListingProbe } from './listing-probe.ts';

/** The views of a listing, as the contract names them. */
export type View = 'list' | 'mosaic' | 'mosaic gallery';

/** Opens the page of the listing with a query such as `{ count: 100, view: 'list' }`; an error during its start fails the test. */
export async function openListing(
  probe: ListingProbe,
  page: Page,
  query: Record<string, string | number>,
): Promise<void> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(
    `${probe.url}?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
  );
  await page.locator('[data-id]').first().waitFor();
  expect(errors).toEqual([]);
}

/** All rendered rows or tiles. */
export const rows = (page: Page): Locator => page.locator('[data-id]');
/** The row or tile at a position of the listing, which begins at 0; none while it is not rendered. */
export const rowAt = (page: Page, position: number): Locator => {
  // Phones have no row of column heads.
  const heads = '[role=columnheader]';
  return page.locator(
    [
      `[role=grid]:has(${heads}) [role=row][aria-rowindex="${position + 2}"]`,
      `[role=grid]:not(:has(${heads})) [role=row][aria-rowindex="${position + 1}"]`,
      `[role=option][aria-posinset="${position + 1}"]`,
    ].join(', '),
  );
};

/** The selection of the model: the number of entries, and their positions if they are few. */
export const selection = (page: Page): Promise<{ count: number; positions: number[] }> =>
  page.evaluate(() => {
    const { model } = window.probe;
    const positions =
      model.selectedCount > 50 ? [] : model.selectedIds().map((id) => model.position(id) ?? -1);
    return { count: model.selectedCount, positions };
  });
/** The positions of the selected entries; none if there are more than 50. */
export const positions = async (page: Page): Promise<number[]> => (await selection(page)).positions;

/** The position of the entry to which the cursor keys have moved, or null. */
export const cursorPosition = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const { model } = window.probe;
    return model.cursor === null ? null : model.position(model.cursor);
  });

/** The position of the row that has the focus. */
export const focusedPosition = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset['id'];
    return id === undefined ? null : window.probe.model.position(Number(id));
  });

/** The calls of one kind that the listing has made to its host, such as `open` or `move`, in order. */
export const probeCalls = (page: Page, kind: string): Promise<Record<string, unknown>[]> =>
  page.evaluate((callKind) => window.probe.calls.filter((call) => call.kind === callKind), kind);

/** The distance in px by which the listing is scrolled; -1 without a listing. */
export const scrollTop = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('[role=grid], [role=listbox]')?.parentElement?.scrollTop ?? -1);

/** Scrolls the listing to a distance from its top in px. */
export const scrollTo = (page: Page, top: number): Promise<void> =>
  page.evaluate((position) => {
    const scroller = document.querySelector('[role=grid], [role=listbox]')?.parentElement;
    if (scroller) scroller.scrollTop = position;
  }, top);

/** Waits until the page has rendered `number` more frames. */
export const waitFrames = (page: Page, number: number): Promise<void> =>
  page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame++)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, number);

/**
 * The position of the first row below `top`, in pixels of the window; waits until one is rendered there after
 * scrolling.
 */
export async function firstBelow(page: Page, top: number): Promise<number> {
  const result = await page.waitForFunction((limit) => {
    const row = [...document.querySelectorAll<HTMLElement>('[data-id]')].find((candidate) => {
      const box = candidate.getBoundingClientRect();
      return box.top > limit && box.bottom < window.innerHeight;
    });
    return row && { position: window.probe.model.position(Number(row.dataset['id'])) };
  }, top);
  const { position } = (await result.jsonValue()) ?? {};
  if (position === undefined || position === null) throw new Error('the model does not contain the row');
  return position;
}

/** A point in a row where a marquee can begin: neither its name nor its icon. */
export async function blankPointOf(page: Page, position: number): Promise<{ x: number; y: number }> {
  const row = await rowAt(page, position).boundingBox();
  if (row === null) throw new Error('not in the page');
  const isList = (await page.locator('[role=grid]').count()) > 0;
  const isMirrored = await page.evaluate(() => document.documentElement.dir === 'rtl');
  // In the list the middle of the row is empty, in tiles the gap below the tile.
  if (isList) return { x: row.x + row.width / 2, y: row.y + row.height / 2 };
  return { x: isMirrored ? row.x + row.width + 6 : row.x - 6, y: row.y + row.height - 4 };
}
