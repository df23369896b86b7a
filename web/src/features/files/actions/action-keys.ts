import { areSingleKeysOn, isSingleKey } from '../../../ui/keyboard/single-keys.ts';
import type { ActionContext } from './action.ts';
import { fileActions, type FileAction } from './actions.ts';

type Keystroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** Whether `event` is the shortcut, such as `Mod+C`, `F2` or `I`. `Mod` is Ctrl or ⌘, `Ctrl` only Ctrl. */
export function isShortcut(event: Keystroke, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const isKey = (signs[key] ?? [key]).some((sign) => sign.toLowerCase() === event.key.toLowerCase());
  // Where the sign needs a second key press, its place on the keyboard counts.
  const isAccent = key === '`' && event.code === 'Backquote';
  // Whether a sign needs the shift key depends on the keyboard.
  const isSign = key in signs || (key.length === 1 && key.toLowerCase() === key.toUpperCase());
  return (
    (isKey || isAccent) &&
    (event.ctrlKey || event.metaKey) === (parts.includes('Mod') || parts.includes('Ctrl')) &&
    !(event.metaKey && parts.includes('Ctrl')) &&
    (isSign || event.shiftKey === parts.includes('Shift')) &&
    event.altKey === parts.includes('Alt')
  );
}

/** Keys with names of their own in a shortcut, and what a keyboard may say for them. */
const signs: Readonly<Record<string, readonly string[]>> = { Plus: ['+', '='], Minus: ['-', '_'] };

/** A key that writes a character of a name: in the listing it belongs to typing one. */
const isPlainLetter = (shortcut: string): boolean => shortcut.length === 1 && shortcut !== '/';

/** What the listing does by itself, because it knows what the cursor is on. */
const keysOfListing: ReadonlySet<string> = new Set(['Enter', 'Space']);

/** Everywhere else than among the tiles these keys are the browser's own, which enlarge the page. */
const isZoom = (shortcut: string): boolean => shortcut === 'Mod+Plus' || shortcut === 'Mod+Minus';

/**
 * The action that a key press means, or null. Plain letters mean nothing while the listing has the focus, where they
 * jump to a name.
 */
export function actionForKey(
  event: Keystroke,
  context: ActionContext,
  isListingFocused: boolean,
): FileAction | null {
  for (const action of fileActions) {
    const isMeant = action.keys.some(
      (shortcut) =>
        !keysOfListing.has(shortcut) &&
        !(isSingleKey(shortcut) && !areSingleKeysOn()) &&
        !(isListingFocused && isPlainLetter(shortcut)) &&
        !(!isListingFocused && isZoom(shortcut)) &&
        isShortcut(event, shortcut),
    );
    if (isMeant) return action.isOffered(context) ? action : null;
  }
  return null;
}

const fields = 'input, textarea, select, [contenteditable="true"]';
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether a key press belongs to something else: a field, an open dialog or menu. One that is leaving does not count. */
export function belongsElsewhere({ target }: Pick<Event, 'target'>): boolean {
  if (target instanceof Element && target.closest(fields)) return true;
  return [...document.querySelectorAll(overlays)].some((overlay) => !overlay.closest('[data-exiting]'));
}
