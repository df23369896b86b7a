// The listing over 100,000 generated entries, with real mouse and key events, in two views and both directions.
import { expect, type Locator, type Page, test as withOwnPage } from '@playwright/test';
import { extended } from './support/extended.ts';
import { nameOf } from './support/journey.ts';
import {
  rowAt,
  blankPointOf,
  probeCalls,
  cursorPosition,
  firstBelow,
  focusedPosition,
  waitFrames,
  openListing,
  positions,
  scrollTo,
  scrollTop,
  selection,
} from './support/listing/listing-page.ts';
import { type ListingProbe, startListingProbe } from './support/listing/listing-probe.ts';
import { centerOf } from './support/touch.ts';

const count = 100_000;

/** Longer than the timeout of type-ahead (800 ms). */
const typingPauseMs = 900;

/** One page for all tests of a worker: navigating to the probe again costs a fraction of a new context. */
const test = withOwnPage.extend<object, { sharedPage: Page }>({
  sharedPage: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ sharedPage }, use) => {
    await sharedPage.mouse.move(0, 0);
    await use(sharedPage);
  },
});

let probe: ListingProbe;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  probe = await startListingProbe();
});
test.afterAll(() => probe.stop());

for (const view of ['list', 'mosaic'] as const) {
  for (const dir of ['ltr', 'rtl'] as const) {
    // Each view and each direction once in a short run.
    test.describe(`${view}, ${dir}`, (view === 'list') === (dir === 'ltr') ? {} : extended, () => {
      const forwards = dir === 'ltr' ? 'ArrowRight' : 'ArrowLeft';
      const backwards = dir === 'ltr' ? 'ArrowLeft' : 'ArrowRight';
      const isList = view === 'list';

      test.beforeEach(({ page }) => openListing(probe, page, { count, view, dir }));

      test('arrow keys, Home, End and Page keys move the cursor and select', async ({ page }) => {
        const columns = await page.evaluate(() => {
          const tops = Array.from(
            document.querySelectorAll('[data-id]'),
            (row) => row.getBoundingClientRect().top,
          );
          return tops.filter((top) => top === tops[0]).length;
        });
        await nameOf(rowAt(page, 0)).click();
        await page.keyboard.press('ArrowDown');
        expect(await positions(page)).toEqual([columns]);
        expect(await focusedPosition(page)).toBe(columns);
        await page.keyboard.press('ArrowUp');
        if (!isList) {
          await page.keyboard.press(forwards);
          await page.keyboard.press(forwards);
          await page.keyboard.press(backwards);
          expect(await positions(page)).toEqual([1]);
          await page.keyboard.press(backwards);
        }
        await page.keyboard.press('Shift+ArrowDown');
        expect((await selection(page)).count).toBe(columns + 1);
        await page.keyboard.press('End');
        expect(await positions(page)).toEqual([count - 1]);
        await expect(rowAt(page, count - 1)).toBeInViewport({ ratio: 0.99 });
        await expect(rowAt(page, count - 1)).toBeFocused();
        await page.keyboard.press('Shift+Home');
        expect((await selection(page)).count).toBe(count);
        expect(await focusedPosition(page)).toBe(0);
        await page.keyboard.press('Home');
        await page.keyboard.press('Shift+End');
        expect((await selection(page)).count).toBe(count);
        await page.keyboard.press('Home');
        await page.keyboard.press('PageDown');
        const paged = (await cursorPosition(page)) ?? 0;
        expect(paged).toBeGreaterThan(columns);
        await expect(rowAt(page, paged)).toBeInViewport({ ratio: 0.99 });
        await page.keyboard.press('PageUp');
        expect(await cursorPosition(page)).toBe(0);
      });

      test('a marquee selects, scrolls at the edge, and inverts with Control', async ({ page }) => {
        await scrollTo(page, 3000);
        const first = await firstBelow(page, 120);
        const start = await blankPointOf(page, first);
        await page.mouse.move(start.x, start.y);
        await page.mouse.down();
        await page.mouse.move(start.x + (dir === 'ltr' ? 60 : -60), start.y + 100, { steps: 4 });
        await expect.poll(async () => (await selection(page)).count).toBeGreaterThan(0);
        const before = await scrollTop(page);
        await page.mouse.move(start.x + (dir === 'ltr' ? 60 : -60), 796, { steps: 3 });
        await expect.poll(() => scrollTop(page)).toBeGreaterThan(before + 500);
        await page.mouse.up();
        const { count: selectedCount } = await selection(page);
        expect(selectedCount).toBeGreaterThan(isList ? 20 : 3);
        const stopped = await scrollTop(page);
        // It would continue in the next frame.
        await waitFrames(page, 3);
        expect(await scrollTop(page)).toBe(stopped);

        // Once more with Control: selected entries are deselected.
        await scrollTo(page, 3000);
        const again = await blankPointOf(page, first);
        await page.keyboard.down('Control');
        await page.mouse.move(again.x, again.y);
        await page.mouse.down();
        await page.mouse.move(again.x + (dir === 'ltr' ? 60 : -60), again.y + 20, { steps: 4 });
        await page.mouse.up();
        await page.keyboard.up('Control');
        expect((await selection(page)).count).toBeLessThan(selectedCount);

        // A press without movement on empty space of a row selects the row: no marquee remains.
        await nameOf(rowAt(page, first)).click();
        expect(await positions(page)).toEqual([first]);
      });

      test('several entries are dragged onto a folder, but not onto a selected one', async ({ page }) => {
        await nameOf(rowAt(page, 1)).click();
        await nameOf(rowAt(page, 3)).click({ modifiers: ['Control'] });
        const target = await nameOf(rowAt(page, 2)).textContent();
        await nameOf(rowAt(page, 3)).dragTo(nameOf(rowAt(page, 1)));
        expect(await probeCalls(page, 'move')).toEqual([]);
        expect(await page.evaluate(() => window.probe.model.dragSource)).toBeNull();
        await nameOf(rowAt(page, 3)).dragTo(nameOf(rowAt(page, 2)));
        expect(await probeCalls(page, 'move')).toEqual([{ kind: 'move', target, copy: false }]);
        expect(await positions(page)).toEqual([1, 3]);
        // With Control the entry is copied, and an unselected entry is dragged alone.
        await page.keyboard.down('Control');
        await nameOf(rowAt(page, 5)).dragTo(nameOf(rowAt(page, 2)));
        await page.keyboard.up('Control');
        expect(await probeCalls(page, 'move')).toHaveLength(2);
        expect((await probeCalls(page, 'move'))[1]).toEqual({ kind: 'move', target, copy: true });
        expect(await positions(page)).toEqual([5]);
      });

      test('a drag ends correctly after its row was scrolled away, and folders open when the pointer rests on them', async ({
        page,
      }) => {
        const from = await centerOf(nameOf(rowAt(page, 4)));
        const over = await centerOf(nameOf(rowAt(page, 1)));
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x + 8, from.y + 8, { steps: 3 });
        await page.mouse.move(over.x, over.y, { steps: 4 });
        await expect(rowAt(page, 1)).toHaveAttribute('data-drop');
        await expect.poll(() => probeCalls(page, 'open'), { timeout: 5000 }).toHaveLength(1);
        await page.mouse.move(600, 796, { steps: 4 });
        await expect.poll(() => scrollTop(page), { timeout: 10_000 }).toBeGreaterThan(4000);
        await expect(rowAt(page, 4)).toBeAttached();
        await page.mouse.move(600, 400, { steps: 2 });
        await page.mouse.up();
        await expect.poll(() => page.evaluate(() => window.probe.model.dragSource)).toBeNull();
        await page.mouse.move(620, 420);
        await page.keyboard.press('Home');
        expect(await cursorPosition(page)).toBe(0);
      });

      test('a name is edited in place', async ({ page }) => {
        const row = rowAt(page, 2);
        const old = (await nameOf(row).textContent()) ?? '';
        await nameOf(row).click();
        const rename = (): Promise<void> =>
          page.evaluate(() => window.probe.handle?.startRename(window.probe.model.cursor ?? -1));
        await rename();
        const field = page.getByRole('textbox', { name: 'New name' });
        await expect(field).toBeFocused();
        await page.keyboard.type('x/y');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('alert')).toHaveText('A name cannot contain a slash.');
        await page.keyboard.press('Escape');
        await expect(field).toBeHidden();
        await expect(row).toBeFocused();
        await rename();
        await page.keyboard.type('Zz renamed');
        await page.keyboard.press('Enter');
        expect(await probeCalls(page, 'rename')).toEqual([{ kind: 'rename', from: old, to: 'Zz renamed' }]);
        const position = (await cursorPosition(page)) ?? -1;
        expect(await page.evaluate(() => window.probe.model.name(window.probe.model.cursor ?? -1))).toBe(
          'Zz renamed',
        );
        expect(await focusedPosition(page)).toBe(position);
      });

      test('clicks select one entry, add entries, and select a range', async ({ page }) => {
        await nameOf(rowAt(page, 1)).click();
        expect(await positions(page)).toEqual([1]);
        await expect(rowAt(page, 1)).toBeFocused();
        await nameOf(rowAt(page, 3)).click({ modifiers: ['Control'] });
        await nameOf(rowAt(page, 5)).click({ modifiers: ['Control'] });
        await nameOf(rowAt(page, 3)).click({ modifiers: ['Control'] });
        expect(await positions(page)).toEqual([1, 5]);
        await nameOf(rowAt(page, 2)).click();
        await nameOf(rowAt(page, 6)).click({ modifiers: ['Shift'] });
        expect(await positions(page)).toEqual([2, 3, 4, 5, 6]);
        await nameOf(rowAt(page, 0)).click({ modifiers: ['Shift'] });
        expect(await positions(page)).toEqual([0, 1, 2]);
        await rowAt(page, 4).hover();
        await rowAt(page, 4).locator('[data-part=check]').click();
        expect(await positions(page)).toEqual([0, 1, 2, 4]);
      });

      // The tests below do not depend on the direction.
      if (dir === 'rtl') return;

      test('a double click and Enter open an entry, and its button opens the menu', async ({ page }) => {
        const second = await nameOf(rowAt(page, 1)).textContent();
        await nameOf(rowAt(page, 1)).dblclick();
        expect(await probeCalls(page, 'open')).toEqual([{ kind: 'open', name: second }]);
        await page.keyboard.press('Enter');
        expect(await probeCalls(page, 'open')).toHaveLength(2);
        await rowAt(page, 2).hover();
        await rowAt(page, 2).locator('[data-part=menu]').click();
        expect(await probeCalls(page, 'menu')).toHaveLength(1);
        expect(await positions(page)).toEqual([2]);
      });

      test('the context menu keeps a selection that it is opened on, and otherwise selects the entry', async ({
        page,
      }) => {
        await nameOf(rowAt(page, 1)).click();
        await nameOf(rowAt(page, 2)).click({ modifiers: ['Shift'] });
        await nameOf(rowAt(page, 2)).click({ button: 'right' });
        expect(await positions(page)).toEqual([1, 2]);
        await nameOf(rowAt(page, 4)).click({ button: 'right' });
        expect(await positions(page)).toEqual([4]);
        await page.keyboard.press('Shift+F10');
        const menus = await probeCalls(page, 'menu');
        expect(menus).toHaveLength(3);
        expect(menus[2]?.['name']).toBe(menus[1]?.['name']);
        await page.keyboard.press('ContextMenu');
        expect(await probeCalls(page, 'menu')).toHaveLength(4);
      });

      test('Control moves the cursor without selecting, Space toggles, Control+A selects everything, Escape nothing', async ({
        page,
      }) => {
        await nameOf(rowAt(page, 0)).click();
        await page.keyboard.press('Control+ArrowDown');
        expect(await positions(page)).toEqual([0]);
        expect(await cursorPosition(page)).not.toBe(0);
        await page.keyboard.press('Control+ ');
        expect((await selection(page)).count).toBe(2);
        await page.keyboard.press(' ');
        expect(await positions(page)).toEqual([0]);
        await page.keyboard.press('Control+a');
        expect((await selection(page)).count).toBe(count);
        await expect(page.getByRole('status')).toHaveText('100,000 selected');
        await page.keyboard.press('Escape');
        expect((await selection(page)).count).toBe(0);
        await expect(page.getByRole('status')).toHaveText('Nothing selected');
      });

      test('typing jumps to a name, and the same letter again to the next one', async ({ page }) => {
        await nameOf(rowAt(page, 0)).click();
        await page.keyboard.type('invoice-');
        const found = await page.evaluate(() => window.probe.model.name(window.probe.model.cursor ?? -1));
        expect(found).toMatch(/^invoice-/);
        expect(await focusedPosition(page)).toBe(await cursorPosition(page));
        const before = (await cursorPosition(page)) ?? 0;
        await page.waitForTimeout(typingPauseMs);
        await page.keyboard.press('i');
        await page.keyboard.press('i');
        expect(await cursorPosition(page)).toBe(before + 2);
      });

      test('files from outside are dropped onto a folder or onto the whole listing', async ({ page }) => {
        const drop = (position: number | null): Promise<void> =>
          page.evaluate((position) => {
            const { model } = window.probe;
            const row =
              position === null ? null : document.querySelector(`[data-id="${model.idAt(position)}"]`);
            const target = row ?? document.querySelector('[role=grid], [role=listbox]');
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['x'], 'report.txt'));
            dataTransfer.items.add(new File(['y'], 'second.txt'));
            for (const type of ['dragenter', 'dragover', 'drop']) {
              const options = { bubbles: true, cancelable: true, dataTransfer, clientX: 300, clientY: 300 };
              target?.dispatchEvent(new DragEvent(type, options));
            }
          }, position);
        const folder = await nameOf(rowAt(page, 1)).textContent();
        await drop(1);
        await drop(null);
        expect(await probeCalls(page, 'dropFiles')).toEqual([
          { kind: 'dropFiles', target: folder, names: ['report.txt', 'second.txt'] },
          { kind: 'dropFiles', target: null, names: ['report.txt', 'second.txt'] },
        ]);
      });

      test('the focus survives scrolling away, and the next key continues from it', async ({ page }) => {
        await nameOf(rowAt(page, 5)).click();
        await scrollTo(page, 20_000);
        await firstBelow(page, 100);
        expect(await focusedPosition(page)).toBe(5);
        await page.keyboard.press('ArrowDown');
        const next = (await cursorPosition(page)) ?? -1;
        expect(next).toBeGreaterThan(5);
        expect(next).toBeLessThan(12);
        await expect(rowAt(page, next)).toBeInViewport({ ratio: 0.99 });
        await expect(rowAt(page, next)).toBeFocused();
      });

      test('sorting and reloading keep selection, cursor and focus', async ({ page }) => {
        await page.keyboard.press('Tab');
        await page.evaluate(() => window.probe.handle?.focus());
        await page.keyboard.press('End');
        const last = await nameOf(rowAt(page, count - 1)).textContent();
        await page.evaluate(() => window.probe.model.sort({ by: 'size', asc: false }));
        const cursorName = await page.evaluate(() =>
          window.probe.model.name(window.probe.model.cursor ?? -1),
        );
        expect(last).toContain(cursorName);
        expect(await focusedPosition(page)).toBe(await cursorPosition(page));
        expect((await selection(page)).count).toBe(1);
        await page.evaluate(() => window.probe.reload());
        expect(await page.evaluate(() => window.probe.model.name(window.probe.model.cursor ?? -1))).toBe(
          cursorName,
        );
        expect((await selection(page)).count).toBe(1);
        expect(await focusedPosition(page)).toBe(await cursorPosition(page));
      });

      test('a removed entry passes the focus to the next', async ({ page }) => {
        await nameOf(rowAt(page, 2)).click();
        const next = await nameOf(rowAt(page, 3)).textContent();
        await page.evaluate(() => window.probe.model.remove(window.probe.model.selectedIds()));
        await expect.poll(() => focusedPosition(page)).toBe(2);
        expect(await nameOf(rowAt(page, 2)).textContent()).toBe(next);
      });

      test('entries that arrive above do not move the visible ones', async ({ page }) => {
        await scrollTo(page, 10_000);
        const read = await firstBelow(page, 100);
        const moved = await page.evaluate(async (position) => {
          const id = window.probe.model.idAt(position);
          const visible = document.querySelector<HTMLElement>(`[data-id="${id}"]`);
          const before = visible?.getBoundingClientRect().top ?? 0;
          const { model } = window.probe;
          const entry = { isFolder: true, isSymlink: false, type: '', size: 0, modifiedMs: 0 } as const;
          model.batch(() => {
            for (let i = 0; i < 12; i++) model.insert({ ...entry, name: `!new ${i}` });
          });
          await new Promise((resolve) => requestAnimationFrame(resolve));
          return (visible?.getBoundingClientRect().top ?? 0) - before;
        }, read);
        expect(Math.abs(moved)).toBeLessThan(1);
      });
    });
  }
}

test('column headers sort, announce it, and can be reached with Tab', async ({ page }) => {
  await openListing(probe, page, { count: 2000, view: 'list' });
  const head = (label: string): Locator => page.getByRole('columnheader', { name: label });
  await expect(head('Name')).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Tab');
  await expect(head('Name').getByRole('checkbox', { name: 'Select all' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(head('Name').getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(head('Name')).toHaveAttribute('aria-sort', 'descending');
  await head('Size').getByRole('button').click();
  await expect(head('Size')).toHaveAttribute('aria-sort', 'descending');
  await expect(head('Name')).toHaveAttribute('aria-sort', 'none');
  await expect(page.getByRole('status')).toHaveText('Sorted by Size, descending');
  await head('Modified').getByRole('button').click();
  expect(await probeCalls(page, 'sort')).toEqual([
    { kind: 'sort', by: 'name', asc: true },
    { kind: 'sort', by: 'size', asc: false },
    { kind: 'sort', by: 'modified', asc: false },
  ]);
});

test('one click opens an entry if the user prefers that', async ({ page }) => {
  await openListing(probe, page, { count: 100, view: 'list', singleClick: 1 });
  await nameOf(rowAt(page, 3)).click();
  expect(await probeCalls(page, 'open')).toHaveLength(1);
  await nameOf(rowAt(page, 4)).click({ modifiers: ['Control'] });
  expect(await probeCalls(page, 'open')).toHaveLength(1);
  expect(await positions(page)).toEqual([4]);
});

test('without permissions nothing can be dragged and no file is accepted', async ({ page }) => {
  await openListing(probe, page, { count: 200, view: 'list', readOnly: 1 });
  await nameOf(rowAt(page, 6)).dragTo(nameOf(rowAt(page, 1)));
  expect(await probeCalls(page, 'dragStart')).toEqual([]);
  const isAccepted = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'report.txt'));
    const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
    document.querySelector('[role=grid]')?.dispatchEvent(event);
    return dataTransfer.dropEffect !== 'none';
  });
  expect(isAccepted).toBe(false);
});

test('the number of elements does not grow with entries or scrolling', async ({ page }) => {
  for (const view of ['list', 'mosaic', 'mosaic gallery'] as const) {
    await openListing(probe, page, { count, view });
    const elements = (): Promise<number> =>
      page.evaluate(
        () => document.querySelector('[role=grid], [role=listbox]')?.querySelectorAll('*').length ?? 0,
      );
    const before = await elements();
    for (const top of [9000, 400_000, 20, 100_000]) {
      await scrollTo(page, top);
      await firstBelow(page, 0);
      expect(await elements()).toBeLessThan(800);
    }
    expect(before).toBeLessThan(800);
  }
  // The page was full: 2 % of the generated entries are folders.
  expect(await page.evaluate(() => window.probe.model.numFolders)).toBe(count * 0.02);
});
