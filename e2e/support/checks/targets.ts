import type { Page } from '@playwright/test';

/** The minimum size of touch targets; WCAG 2.5.8 requires 24 px. */
const minTargetPx = 44;

/**
 * Returns the controls that are smaller than a touch target, both themselves and with their label. Links within a
 * sentence and native parts of the browser are ignored.
 */
export const smallTargetsOf = (page: Page): Promise<string[]> =>
  page.evaluate((minSize) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, [role=menuitem], [role=option], [role=tab], [role=radio], [role=switch]',
    );
    const found = new Set<string>();
    for (const control of controls) {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (control.closest(':disabled, [inert], [aria-hidden=true], .visually-hidden, .cm-editor, article'))
        continue;
      // The name of an entry is a link only for a mouse; for touch its row is the target.
      if (control.matches('[role=row] a[data-part=name], [role=option] a[data-part=name]')) continue;
      const { clipPath, display } = getComputedStyle(control);
      // Ignores links within a sentence, and the one that is visible to the keyboard only.
      if (clipPath !== 'none' || display === 'inline') continue;
      const isField = control.matches('input, textarea');
      const area = (isField && (control.closest('label, [data-id]') ?? control.parentElement)) || control;
      const box = area.getBoundingClientRect();
      // A pseudo-element may extend a control over its container.
      const stretched = getComputedStyle(control, '::after');
      const isStretched = stretched.position === 'absolute';
      const width = isStretched ? Math.max(box.width, Number.parseFloat(stretched.width)) : box.width;
      const height = isStretched ? Math.max(box.height, Number.parseFloat(stretched.height)) : box.height;
      if (width <= 1 || height <= 1) continue;
      // Borders of 1 px at both edges are tolerated.
      if (width + 2 >= minSize && height + 2 >= minSize) continue;
      const name = control.ariaLabel ?? control.textContent.trim().slice(0, 40);
      found.add(`${control.tagName.toLowerCase()} "${name}": ${Math.round(width)} × ${Math.round(height)}`);
    }
    return [...found];
  }, minTargetPx);
