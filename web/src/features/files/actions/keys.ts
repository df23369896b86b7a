import type { FileAction, Situation } from './action.ts';
import { fileActions } from './actions.ts';

type Keystroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Whether `event` is the shortcut, such as `Mod+C`, `F2` or `I`. `Mod` is Ctrl or ⌘. */
export function isShortcut(event: Keystroke, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === parts.includes('Mod') &&
    event.shiftKey === parts.includes('Shift') &&
    event.altKey === parts.includes('Alt')
  );
}

/** A key that writes a character of a name: in the listing it belongs to typing one. */
const isPlainLetter = (shortcut: string): boolean => shortcut.length === 1 && shortcut !== '/';

/**
 * The action that a key press means, or null. Enter is left to the listing, which knows what the cursor is on; plain
 * letters mean nothing while the listing has the focus, where they jump to a name.
 */
export function actionForKey(
  event: Keystroke,
  situation: Situation,
  isListingFocused: boolean,
): FileAction | null {
  for (const action of fileActions) {
    const isMeant = action.keys.some(
      (shortcut) =>
        shortcut !== 'Enter' && !(isListingFocused && isPlainLetter(shortcut)) && isShortcut(event, shortcut),
    );
    if (isMeant) return action.isOffered(situation) ? action : null;
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
