const overlay = '[data-dialog-overlay]';

/** Calls `run` once no dialog is on the page any more and the last one has given the focus back. */
export function afterDialogs(run: () => void): void {
  const later = (): void => {
    // One frame is left to the dialog, which gives the focus back then.
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
