/** Calls `run` once no element matches `overlay` and the last one has returned the focus. */
function runAfter(overlay: string, run: () => void): void {
  const later = (): void => {
    // The overlay gets one frame to return the focus.
    requestAnimationFrame(() => setTimeout(run));
  };
  if (document.querySelector(overlay) === null) {
    later();
    return;
  }
  const observer = new MutationObserver(() => {
    if (document.querySelector(overlay) !== null) return;
    observer.disconnect();
    later();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** Calls `run` once no dialog is open and the last one has returned the focus. */
export const runAfterDialogs = (run: () => void): void => runAfter('[data-dialog-overlay]', run);

/** Calls `run` once no nested dialog is open and the last one has returned the focus. */
export const runAfterNestedDialogs = (run: () => void): void =>
  runAfter('[data-dialog-overlay] ~ [data-dialog-overlay]', run);

/**
 * Calls `run` once no menu is open and the last one has returned the focus. For nested dialogs that are opened from a menu,
 * which would otherwise take the focus back.
 */
export const runAfterMenus = (run: () => void): void => runAfter('[role="menu"]', run);
