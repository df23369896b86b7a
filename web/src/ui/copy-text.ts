/**
 * Copies `text` to the system's clipboard, in response to a press or key. Returns false if the browser does not allow
 * it. The Clipboard API exists in secure contexts only; on plain HTTP the document's copy command is used (W3C
 * Clipboard API §8).
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  if (clipboard) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed; the copy command may be.
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
