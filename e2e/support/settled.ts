import type { Page } from '@playwright/test';

/** Waits until nothing moves, comes or goes any more, so that everything is judged as it stays. */
export const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const isMoving = document.getAnimations().some(({ playState, effect }) => {
      const isEndless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
      return playState === 'running' && !isEndless;
    });
    // Overlays are masked until their place is known.
    return (
      !isMoving && document.querySelector('[data-entering], [data-exiting], [style*="mask-image"]') === null
    );
  });
