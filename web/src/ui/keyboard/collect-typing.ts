/**
 * Collects the text that is typed before a field can have the focus, such as while a menu closes. Returns a function that ends
 * this and returns the text.
 */
export function collectTyping(): () => string {
  let typed: string[] = [];
  const onKeyDown = (event: KeyboardEvent): void => {
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    // AltGr, which types characters, also counts as Ctrl and Alt on Windows.
    if (isShortcut && !event.getModifierState('AltGraph')) return;
    if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (Array.from(event.key).length === 1) typed.push(event.key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true });
    return typed.join('');
  };
}
