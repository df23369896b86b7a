/**
 * Puts `text` into the system's clipboard, after a press or a key. Returns false when the browser does not allow it.
 * The clipboard interface exists in secure contexts only; on plain HTTP the document's own copying is used (W3C
 * Clipboard API §8).
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (clipboard) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed; the other way may be.
    }
  }
  let isCopied = false;
  const onCopy = (event: ClipboardEvent) => {
    if (!event.clipboardData) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isCopied = true;
  };
  const { execCommand } = document as { execCommand?: (command: string) => boolean };
  window.addEventListener('copy', onCopy, { capture: true });
  try {
    execCommand?.call(document, 'copy');
  } finally {
    window.removeEventListener('copy', onCopy, { capture: true });
  }
  return isCopied;
}
