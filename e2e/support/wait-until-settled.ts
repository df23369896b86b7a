import type { Page } from '@playwright/test';

/** Waits until no element moves, appears or disappears, so that the final state is checked. */
export const waitUntilSettled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const isMoving = document.getAnimations().some(({ playState, effect }) => {
      const isEndless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
      return playState === 'running' && !isEndless;
    });
    // Overlays are masked until they are positioned.
    return (
      !isMoving && document.querySelector('[data-entering], [data-exiting], [style*="mask-image"]') === null
    );
  });
