const overlay = '[data-dialog-overlay]';

/** Calls `run` once no dialog is open and the last one has returned the focus. */
export function runAfterDialogs(run: () => void): void {
  const later = (): void => {
    // The dialog gets one frame to return the focus.
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
