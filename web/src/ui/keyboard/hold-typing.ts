/** The control character of Ctrl+A. */
const selectAll = '\u0001';

/**
 * The text that was typed since the holding began: after {@link selectAll} if the text of the field was selected before
 * it, and with a line break at its end for the first Enter.
 */
let typed = '';
/** Identifies the last call of {@link holdTyping}; null if nothing is held. */
let holder: object | null = null;

function onKeyDown(event: KeyboardEvent): void {
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  const isSelectAll = isShortcut && event.key === 'a' && !event.altKey;
  // AltGr, which types characters, also counts as Ctrl and Alt on Windows.
  if (isShortcut && !isSelectAll && !event.getModifierState('AltGraph')) return;
  const key = event.key === 'Enter' ? '\n' : event.key;
  const isText = Array.from(key).length === 1;
  if (!isText && key !== 'Backspace') return;
  // An Enter key that is still held down belongs to what was chosen with it.
  const isIgnored = typed.endsWith('\n') || (key === '\n' && event.repeat);
  if (!isIgnored)
    typed = isSelectAll ? selectAll : isText ? typed + key : Array.from(typed).slice(0, -1).join('');
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Holds what is typed before a field can have the focus, such as while a menu closes or a dialog is fetched, for
 * {@link takeHeldTyping}, and Ctrl+A with it. Keys after the first Enter are ignored. Returns the function that discards the text, which does nothing once
 * the text was taken or there was another call.
 */
export function holdTyping(): () => void {
  const own = {};
  holder = own;
  window.addEventListener('keydown', onKeyDown, true);
  return () => {
    if (holder === own) takeHeldTyping();
  };
}

/** Ends the holding, if any, and returns what was typed. */
export function takeHeldTyping(): string {
  const text = typed;
  typed = '';
  holder = null;
  window.removeEventListener('keydown', onKeyDown, true);
  return text;
}

/** Types held text into a field that has the focus, and presses Enter in it if that was pressed. */
export function typeInto(field: HTMLInputElement, held: string): void {
  if (held.startsWith(selectAll)) field.select();
  const text = held.replace(selectAll, '').replace('\n', '');
  if (text !== '') {
    field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (!held.endsWith('\n')) return;
  // Once the text has been rendered.
  setTimeout(() => {
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    if (field.dispatchEvent(enter)) field.form?.requestSubmit();
  });
}
