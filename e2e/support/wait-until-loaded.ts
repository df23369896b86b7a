import type { Page } from '@playwright/test';

/** The time without a finished request after which a page counts as loaded, in ms. */
const quietMs = 500;
/** The interval between two checks. The default, every frame, would make the page render 60 times a second meanwhile. */
const pollingMs = 50;

/** Waits until the page has finished loading. The stream of changes of open folders, which never ends, is not waited for. */
export const waitUntilLoaded = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    (quiet) => {
      const ends = performance
        .getEntriesByType('resource')
        .map(({ startTime, duration }) => startTime + duration);
      return document.readyState === 'complete' && performance.now() - Math.max(0, ...ends) > quiet;
    },
    quietMs,
    { polling: pollingMs },
  );
