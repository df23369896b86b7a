/** The properties of a key press that shortcuts are compared with. */
export type Keystroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** Whether `event` is the shortcut, such as `Mod+C`, `F2` or `I`. `Mod` is Ctrl or ⌘, `Ctrl` only Ctrl. */
export function isShortcut(event: Keystroke, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const isKey = (namedKeys[key] ?? [key]).some(
    (character) => character.toLowerCase() === event.key.toLowerCase(),
  );
  // A character that needs a second key press (a dead key) or AltGr is recognized by its position on the keyboard.
  const isByPosition =
    (key === '`' && event.code === 'Backquote') || (key === '\\' && event.code === 'Backslash');
  // Whether a character needs the shift key depends on the keyboard.
  const isCharacter = key in namedKeys || (key.length === 1 && key.toLowerCase() === key.toUpperCase());
  return (
    (isKey || isByPosition) &&
    (event.ctrlKey || event.metaKey) === (parts.includes('Mod') || parts.includes('Ctrl')) &&
    !(event.metaKey && parts.includes('Ctrl')) &&
    (isCharacter || event.shiftKey === parts.includes('Shift')) &&
    event.altKey === parts.includes('Alt')
  );
}

/** Whether a key opens a menu: the menu key or Shift+F10. */
export const isMenuKey = ({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Named keys in shortcuts, with the characters that a keyboard may report for them. */
const namedKeys: Readonly<Record<string, readonly string[]>> = { Plus: ['+', '='], Minus: ['-', '_'] };

const fields =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable="true"], [role="search"]';
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether another element handles the key press: a field, or an open dialog or menu that is not closing. */
export function isHandledElsewhere({ target }: Pick<Event, 'target'>): boolean {
  if (target instanceof Element && target.closest(fields)) return true;
  return [...document.querySelectorAll(overlays)].some((overlay) => !overlay.closest('[data-exiting]'));
}
