import { areSingleKeysOn, isSingleKey } from '../../../ui/keyboard/single-keys.ts';
import type { ActionContext } from './action.ts';
import { fileActions, type FileAction } from './actions.ts';

type Keystroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** Whether `event` is the shortcut, such as `Mod+C`, `F2` or `I`. `Mod` is Ctrl or ⌘, `Ctrl` only Ctrl. */
export function isShortcut(event: Keystroke, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const isKey = (namedKeys[key] ?? [key]).some(
    (character) => character.toLowerCase() === event.key.toLowerCase(),
  );
  // A character that needs a second key press (a dead key) is recognised by its position on the keyboard.
  const isDeadKey = key === '`' && event.code === 'Backquote';
  // Whether a character needs the shift key depends on the keyboard.
  const isCharacter = key in namedKeys || (key.length === 1 && key.toLowerCase() === key.toUpperCase());
  return (
    (isKey || isDeadKey) &&
    (event.ctrlKey || event.metaKey) === (parts.includes('Mod') || parts.includes('Ctrl')) &&
    !(event.metaKey && parts.includes('Ctrl')) &&
    (isCharacter || event.shiftKey === parts.includes('Shift')) &&
    event.altKey === parts.includes('Alt')
  );
}

/** Named keys in shortcuts, with the characters that a keyboard may report for them. */
const namedKeys: Readonly<Record<string, readonly string[]>> = { Plus: ['+', '='], Minus: ['-', '_'] };

/** Whether the shortcut is a character, which searches a name while the listing has the focus. */
const isPlainLetter = (shortcut: string): boolean => shortcut.length === 1 && shortcut !== '/';

/** Keys that the listing handles itself, since they depend on its cursor. */
const keysOfListing: ReadonlySet<string> = new Set(['Enter', 'Space']);

/** Whether the shortcut zooms. Without focus in the listing these keys zoom the page. */
const isZoom = (shortcut: string): boolean => shortcut === 'Mod+Plus' || shortcut === 'Mod+Minus';

/**
 * Returns the action of a key press, or null. Plain characters have none while the listing has the focus, where they
 * jump to a name.
 */
export function actionForKey(
  event: Keystroke,
  context: ActionContext,
  isListingFocused: boolean,
): FileAction | null {
  for (const action of fileActions) {
    const isMatch = action.keys.some(
      (shortcut) =>
        !keysOfListing.has(shortcut) &&
        !(isSingleKey(shortcut) && !areSingleKeysOn()) &&
        !(isListingFocused && isPlainLetter(shortcut)) &&
        !(!isListingFocused && isZoom(shortcut)) &&
        isShortcut(event, shortcut),
    );
    if (isMatch) return action.isOffered(context) ? action : null;
  }
  return null;
}

const fields = 'input, textarea, select, [contenteditable="true"]';
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether another element handles the key press: a field, or an open dialog or menu that is not closing. */
export function isHandledElsewhere({ target }: Pick<Event, 'target'>): boolean {
  if (target instanceof Element && target.closest(fields)) return true;
  return [...document.querySelectorAll(overlays)].some((overlay) => !overlay.closest('[data-exiting]'));
}
