import { isShortcut, type Keystroke } from '../../../ui/keyboard/keystroke.ts';
import { areSingleKeysOn, isSingleKey } from '../../../ui/keyboard/single-keys.ts';
import type { ActionContext } from './action.ts';
import { fileActions, type FileAction } from './actions.ts';

/** Whether the shortcut is a character with which the focused listing jumps to a name; a slash is none. */
const isPlainCharacter = (shortcut: string): boolean => shortcut.length === 1 && shortcut !== '/';

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
        !(isListingFocused && isPlainCharacter(shortcut)) &&
        !(!isListingFocused && isZoom(shortcut)) &&
        isShortcut(event, shortcut),
    );
    if (isMatch) return action.isOffered(context) || action.isDenied?.(context) === true ? action : null;
  }
  return null;
}
