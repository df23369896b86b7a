import type { Page } from '@playwright/test';

/**
 * Returns the texts that are cut off, overflow their container, or make the page scroll sideways. Texts with an
 * ellipsis are ignored if they are names given by the user, which may have any length.
 */
export const overflowOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Differences of up to one pixel are rounding errors. */
    const tolerance = 1;
    const found = new Set<string>();
    const { documentElement: root } = document;
    if (root.scrollWidth > root.clientWidth) {
      found.add(`the page is ${root.scrollWidth} wide instead of ${root.clientWidth}`);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      if (
        text === '' ||
        !element ||
        element.closest('.visually-hidden, script, style, noscript, select, svg')
      )
        continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const label = `${element.tagName.toLowerCase()}.${element.className.split(' ')[0] ?? ''} "${text.slice(0, 60)}"`;
      const isOwnName = element.closest('bdi, [data-id], .cm-editor, pre, code, [data-own-text]') !== null;
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      if (box.right > root.clientWidth + tolerance || box.left < -tolerance) {
        let ancestor: Element | null = element;
        while (ancestor && !/auto|scroll|hidden|clip/u.test(getComputedStyle(ancestor).overflowX))
          ancestor = ancestor.parentElement;
        if (!ancestor || ancestor === document.body) found.add(`outside of the window: ${label}`);
      }
      for (
        let ancestor: Element | null = element;
        ancestor && ancestor !== document.body;
        ancestor = ancestor.parentElement
      ) {
        const style = getComputedStyle(ancestor);
        if (/auto|scroll/u.test(style.overflowX) || /auto|scroll/u.test(style.overflowY)) break;
        if (style.overflowX === 'visible') continue;
        const frame = ancestor.getBoundingClientRect();
        if (frame.width <= 1 || frame.height <= 1) break;
        const isCutAcross = box.right > frame.right + tolerance || box.left < frame.left - tolerance;
        const isCutBelow = box.bottom > frame.bottom + 3 * tolerance;
        if ((isCutAcross || isCutBelow) && !isOwnName) {
          found.add(`cut: ${label}`);
        }
        if (isCutAcross || isCutBelow) break;
      }
    }
    return [...found];
  });
