/** Marks the page while the mouse is pressed outside an open menu or list. */
function markOuterPress({ type, pointerType, target }: PointerEvent): void {
  const isInside = target instanceof Element && target.closest('[data-sheet]') !== null;
  const isOuterPress = type === 'pointerdown' && pointerType === 'mouse' && !isInside;
  document.documentElement.toggleAttribute('data-outer-press', isOuterPress);
}

/**
 * In a narrow window a menu is a sheet that may appear below the pressed mouse, and React Aria chooses the item on which the mouse is
 * released, wherever it was pressed. With the mark, the style sheet of menus keeps that release from the sheet. This module is
 * loaded with the page, because a press may be older than the code of the menus.
 */
for (const type of ['pointerdown', 'pointerup', 'pointercancel'] as const) {
  addEventListener(type, markOuterPress, { capture: true, passive: true });
}
