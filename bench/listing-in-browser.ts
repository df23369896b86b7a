// Measures the listing alone in Chromium over generated entries: the time until it is shown, input latency, scrolling
// and memory use. Prints a table with the targets below.
// Usage: node --import tsx bench/listing-in-browser.ts [list|mosaic|photos]
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumOptions } from '../e2e/chromium.ts';
import { startListingProbe } from '../e2e/support/listing/listing-probe.ts';
import { median } from './measure.ts';

const view = process.argv[2] ?? 'list';
/** The photos have pictures and sizes, as a folder of a camera does. */
const query = view === 'photos' ? 'view=mosaic%20gallery&photos=1&thumbnails=1' : `view=${view}`;
const rounds = 5;
const counts = [1000, 100_000] as const;
const [smallCount, largeCount] = counts;
/** The slowdown with which the second part of the figures is measured, as on a phone. */
const slowdown = 4;
/** The limits of figures of the large folder relative to the small one, which noise of the machine disturbs least. */
const ratioTarget = 1.3;
const ratioFailAt = 3;
const framesPerScroll = 60;

interface Figure {
  readonly measurement: string;
  readonly unit: string;
  readonly target: number;
  readonly failAt: number;
  /** Whether the ratio of the large folder to the small one has a limit. */
  readonly hasRatio?: true;
}
const figures = {
  ready: { measurement: 'data in memory to rows painted and idle', unit: 'ms', target: 100, failAt: 300 },
  longestTask: { measurement: 'longest task from the data to idle', unit: 'ms', target: 50, failAt: 150 },
  click: { measurement: 'click to painted', unit: 'ms', target: 16, failAt: 50, hasRatio: true },
  toggle: { measurement: 'Control and click to painted', unit: 'ms', target: 16, failAt: 50 },
  arrow: { measurement: 'ArrowDown to painted', unit: 'ms', target: 16, failAt: 50 },
  selectAll: { measurement: 'Control+A to painted', unit: 'ms', target: 35, failAt: 100, hasRatio: true },
  rangeToEnd: { measurement: 'Shift+End to painted', unit: 'ms', target: 35, failAt: 100 },
  escape: { measurement: 'Escape to painted', unit: 'ms', target: 35, failAt: 100 },
  sortFirst: { measurement: 'first sort by size to painted', unit: 'ms', target: 35, failAt: 100 },
  sortLater: { measurement: 'later sort by date to painted', unit: 'ms', target: 35, failAt: 100 },
  slowTask: {
    measurement: 'slow scroll, main thread per frame',
    unit: 'ms',
    target: 8,
    failAt: 34,
    hasRatio: true,
  },
  slowP95: { measurement: 'slow scroll, 95 % of frames within', unit: 'ms', target: 17, failAt: 34 },
  fastTask: { measurement: 'fast scroll, main thread per frame', unit: 'ms', target: 8, failAt: 34 },
  fastP95: { measurement: 'fast scroll, 95 % of frames within', unit: 'ms', target: 17, failAt: 34 },
  jumpTask: { measurement: 'jumps, main thread per frame', unit: 'ms', target: 8, failAt: 34 },
  blank: { measurement: 'samples of the viewport without a row', unit: '', target: 0, failAt: 0 },
  heap: { measurement: 'heap of the page over an empty listing', unit: 'MB', target: 6, failAt: 25 },
  elements: { measurement: 'elements of the listing', unit: '', target: 450, failAt: 800 },
  slowReady: { measurement: '4 × slower: data in memory to idle', unit: 'ms', target: 200, failAt: 600 },
  slowSelectAll: { measurement: '4 × slower: Control+A to painted', unit: 'ms', target: 60, failAt: 200 },
  slowSort: { measurement: '4 × slower: sort by date to painted', unit: 'ms', target: 150, failAt: 400 },
  slowSlowP95: {
    measurement: '4 × slower: slow scroll, 95 % of frames within',
    unit: 'ms',
    target: 17,
    failAt: 34,
  },
  slowFastP95: {
    measurement: '4 × slower: fast scroll, 95 % of frames within',
    unit: 'ms',
    target: 67,
    failAt: 100,
  },
} as const satisfies Record<string, Figure>;
type Key = keyof typeof figures;
type Sample = Partial<Record<Key, number>>;

/** Returns the time in milliseconds from the next trusted input event until the frame with its result is painted. */
async function inputLatencyMs(
  page: Page,
  type: 'keydown' | 'click',
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate((event) => {
    const measured = new Promise<number>((resolve) => {
      addEventListener(
        event,
        ({ timeStamp }) => {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve(performance.now() - timeStamp));
            port1.start();
            port2.postMessage(null);
          });
        },
        { once: true, capture: true },
      );
    });
    Object.assign(globalThis, { measured });
  }, type);
  await act();
  return page.evaluate(() => (globalThis as unknown as { measured: Promise<number> }).measured);
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/**
 * Scrolls by `stepPx` in every frame, from the top again when the end is reached. Returns the 95th percentile of the frame times; with
 * `samplesRows`, which itself takes time, also the fraction of the viewport without a row.
 */
function scrollBy(
  page: Page,
  stepPx: number,
  samplesRows: boolean,
): Promise<{ p95Ms: number; blank: number }> {
  return page.evaluate(
    async ({ step, frames, countsBlank }) => {
      // The list of photos and the headings of days are siblings in the scroller.
      let scroller = document.querySelector('[role=grid], [role=listbox]')?.parentElement;
      while (scroller && getComputedStyle(scroller).overflowY === 'visible')
        scroller = scroller.parentElement;
      if (!scroller) throw new Error('the page contains no listing');
      const box = scroller.getBoundingClientRect();
      const durations: number[] = [];
      let blank = 0;
      let samples = 0;
      scroller.scrollTop = 0;
      let last = await globalThis.window.probe.nextFrame();
      for (let frame = 0; frame < frames; frame++) {
        const isAtEnd = scroller.scrollTop + scroller.clientHeight + step >= scroller.scrollHeight;
        scroller.scrollTop = isAtEnd ? 0 : scroller.scrollTop + step;
        const now = await globalThis.window.probe.nextFrame();
        durations.push(now - last);
        last = now;
        if (!countsBlank) continue;
        const shown = [...document.querySelectorAll('[data-id]')].map((row) => row.getBoundingClientRect());
        // A heading and the gaps around it are 48 px at most.
        for (let y = box.top + 60; y < box.bottom; y += 40) {
          samples++;
          if (!shown.some(({ top, bottom }) => top - 48 <= y && y <= bottom + 48)) blank++;
        }
      }
      durations.sort((a, b) => a - b);
      return {
        p95Ms: durations[Math.floor(durations.length * 0.95)] ?? 0,
        blank: samples === 0 ? 0 : blank / samples,
      };
    },
    { step: stepPx, frames: framesPerScroll, countsBlank: samplesRows },
  );
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/**
 * Shows the entries of the page from memory and waits for three quiet frames. Returns the time until the first of them, and the longest
 * task until then, in ms.
 */
function showEntries(page: Page, quietMs = 34): Promise<{ readyMs: number; longestMs: number }> {
  return page.evaluate(async (longestQuietMs) => {
    let longestMs = 0;
    const observer = new PerformanceObserver((tasks) => {
      for (const { duration } of tasks.getEntries()) longestMs = Math.max(longestMs, duration);
    });
    observer.observe({ type: 'longtask' });
    await globalThis.window.probe.nextFrame();
    const startedMs = performance.now();
    globalThis.window.probe.reload();
    let quiet = 0;
    let readyMs = 0;
    let last = await globalThis.window.probe.nextFrame();
    while (quiet < 3) {
      const now = await globalThis.window.probe.nextFrame();
      if (now - last < longestQuietMs && document.querySelector('[data-id]') !== null) {
        if (quiet === 0) readyMs = performance.now() - startedMs;
        quiet++;
      } else quiet = 0;
      last = now;
    }
    observer.disconnect();
    return { readyMs, longestMs };
  }, quietMs);
}

/** Opens the listing over `count` entries that are not loaded yet. */
async function openUnloaded(page: Page, url: string, count: number): Promise<void> {
  await page.goto(`${url}?count=${count}&${query}&loading=1`);
  await page.waitForFunction(() => (globalThis.window.probe?.handle ?? null) !== null);
}

async function heapOfEmptyPage(page: Page, session: CDPSession, url: string): Promise<number> {
  await openUnloaded(page, url, 1);
  return heapBytes(session);
}

async function measure(browser: Browser, url: string, count: number): Promise<Sample> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const session = await page.context().newCDPSession(page);
  // Processor time of the main thread, which other programs do not disturb.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const emptyBytes = await heapOfEmptyPage(page, session, url);
  await openUnloaded(page, url, count);
  const shown = await showEntries(page);
  const sample: Sample = { ready: shown.readyMs, longestTask: shown.longestMs };
  await page.evaluate(() => globalThis.window.probe.forget());
  sample.heap = ((await heapBytes(session)) - emptyBytes) / 1_000_000;
  const press = (key: string) => inputLatencyMs(page, 'keydown', () => page.keyboard.press(key));
  // The picture of a photo covers its name.
  const part = view === 'photos' ? '[data-part=icon]' : '[data-part=name]';
  const second = page.locator('[data-id]').nth(4).locator(part);
  await second.hover();
  sample.click = await inputLatencyMs(page, 'click', () => second.click());
  const third = page.locator('[data-id]').nth(5).locator(part);
  sample.toggle = await inputLatencyMs(page, 'click', () => third.click({ modifiers: ['Control'] }));
  sample.arrow = await press('ArrowDown');
  sample.selectAll = await press('Control+a');
  sample.escape = await press('Escape');
  await press('Home');
  sample.rangeToEnd = await press('Shift+End');
  await press('Home');
  sample.elements = await page.locator('[role=grid] *, [role=listbox] *').count();
  for (const [key, stepPx] of [
    ['slow', 60],
    ['fast', 600],
    ['jump', 20_000],
  ] as const) {
    const before = await taskMs(session);
    const { p95Ms } = await scrollBy(page, stepPx, false);
    sample[`${key}Task`] = ((await taskMs(session)) - before) / framesPerScroll;
    if (key !== 'jump') sample[`${key}P95`] = p95Ms;
    const { blank } = await scrollBy(page, stepPx, true);
    sample.blank = Math.max(sample.blank ?? 0, blank);
  }
  await page.evaluate(() => {
    let scroller = document.querySelector('[role=grid], [role=listbox]')?.parentElement;
    while (scroller && getComputedStyle(scroller).overflowY === 'visible') scroller = scroller.parentElement;
    if (scroller) scroller.scrollTop = 0;
    globalThis.window.probe.handle?.focus();
  });
  sample.sortFirst = await sortMs(page, 'size');
  sample.sortLater = await sortMs(page, 'modified');
  Object.assign(sample, await measureSlowly(page, session, url, count));
  await page.close();
  return sample;
}

/** Measures the figures with a processor that is {@link slowdown} times slower. */
async function measureSlowly(page: Page, session: CDPSession, url: string, count: number): Promise<Sample> {
  await openUnloaded(page, url, count);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  // A frame of the slow processor is quiet if it is not much longer than two intervals of the screen.
  const { readyMs } = await showEntries(page, 50);
  await page.evaluate(() => globalThis.window.probe.handle?.focus());
  const sample: Sample = { slowReady: readyMs };
  sample.slowSelectAll = await inputLatencyMs(page, 'keydown', () => page.keyboard.press('Control+a'));
  await page.keyboard.press('Escape');
  sample.slowSlowP95 = (await scrollBy(page, 60, false)).p95Ms;
  sample.slowFastP95 = (await scrollBy(page, 600, false)).p95Ms;
  await sortMs(page, 'size');
  sample.slowSort = await sortMs(page, 'modified');
  return sample;
}

function sortMs(page: Page, by: 'size' | 'modified'): Promise<number> {
  return page.evaluate(
    (key) =>
      new Promise<number>((resolve) => {
        const startedMs = performance.now();
        globalThis.window.probe.model.sort({ by: key, asc: false });
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedMs)));
      }),
    by,
  );
}

const format = (value: number | undefined): string =>
  value === undefined ? '' : value >= 100 ? String(Math.round(value)) : value.toFixed(value === 0 ? 0 : 1);

const probe = await startListingProbe();
const browser = await chromium.launch(chromiumOptions);
try {
  const samples = new Map<number, Sample[]>(counts.map((count) => [count, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const count of counts) {
      const sample = await measure(browser, probe.url, count);
      // The first round warms the machine up.
      if (round > 0) samples.get(count)?.push(sample);
    }
  }
  const medianOf = (count: number, key: Key): number | undefined => {
    const values = (samples.get(count) ?? [])
      .map((sample) => sample[key])
      .filter((value) => value !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  console.log(`${view}, Chromium ${browser.version()}, 1280 × 800, medians of ${rounds}\n`);
  console.log('| measurement | 1,000 | 100,000 | target | fail at | | ratio 100k / 1k | |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  let isMissed = false;
  const verdict = (value: number | undefined, target: number, failAt: number): string => {
    if (value === undefined) return '';
    if (value > failAt) isMissed = true;
    return value <= target ? 'met' : value <= failAt ? 'near' : 'MISSED';
  };
  for (const [key, figure] of Object.entries(figures) as [Key, Figure][]) {
    const { measurement, unit, target, failAt, hasRatio } = figure;
    const [small, large] = [medianOf(smallCount, key), medianOf(largeCount, key)];
    const ratio = small === undefined || large === undefined || small === 0 ? undefined : large / small;
    const cells = [
      `${measurement}${unit === '' ? '' : `, ${unit}`}`,
      format(small),
      format(large),
      target,
      failAt,
      verdict(large, target, failAt),
      ratio?.toFixed(2) ?? '',
      hasRatio ? verdict(ratio, ratioTarget, ratioFailAt) : '',
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  if (isMissed) process.exitCode = 1;
  const scripts = (await readdir(join(probe.folder, 'assets'))).filter(
    (name) => name.endsWith('.js') && !/^(?:more|core)-/u.test(name),
  );
  for (const name of scripts) {
    const bytes = gzipSync(await readFile(join(probe.folder, 'assets', name))).length;
    console.log(`\n${name}: ${(bytes / 1000).toFixed(1)} KB gzipped, React and texts included`);
  }
} finally {
  await browser.close();
  await probe.stop();
}
