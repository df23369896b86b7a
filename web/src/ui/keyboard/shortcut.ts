import { i18n } from '../../i18n/i18n.ts';

const isMac = /mac|iphone|ipad/iu.test(navigator.platform);

/** The signs on keys; all keys of a Mac have one, or an English name. */
const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Plus: '+',
  Minus: '−',
  ...(isMac && {
    Mod: '⌘',
    Ctrl: '⌃',
    Shift: '⇧',
    Alt: '⌥',
    Enter: '↩',
    Delete: '⌫',
    Escape: 'esc',
  }),
};
const ariaNames: Readonly<Record<string, string>> = { Mod: isMac ? 'Meta' : 'Control', Ctrl: 'Control' };

/** Returns the sign of a key, or its name on keyboards of the shown language, such as Entf for Delete. */
const keyLabel = (key: string): string =>
  // A key without a name, such as K, is returned with its prefix.
  signs[key] ?? i18n.t(`keyNames.${key.replace('Mod', 'Ctrl')}` as 'keyNames.Ctrl').replace('keyNames.', '');

/** Returns a shortcut such as `Mod+Shift+N` in the notation of this operating system; `Mod` is ⌘ or Ctrl, on German keyboards Strg. */
export const shortcutLabel = (shortcut: string): string =>
  shortcut
    .split('+')
    .map(keyLabel)
    .join(isMac ? '' : '+');

/** The key that, held while entries are dragged, copies them instead of moving them. */
export const copyKey = isMac ? 'Alt' : 'Ctrl';

/** Whether {@link copyKey} is held. */
export const isCopyKeyHeld = (event: Pick<DragEvent, 'altKey' | 'ctrlKey'>): boolean =>
  isMac ? event.altKey : event.ctrlKey;

/** Returns a shortcut in the notation of `aria-keyshortcuts`. */
export function shortcutForAria(shortcut: string): string {
  return shortcut
    .split('+')
    .map((key) => ariaNames[key] ?? key)
    .join('+');
}
