import { i18n } from '../../i18n/i18n.ts';

const isMac = /mac|iphone|ipad/iu.test(navigator.platform);

const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Plus: '+',
  Minus: '−',
};
const macSigns: Readonly<Record<string, string>> = {
  ...signs,
  Mod: '⌘',
  Ctrl: '⌃',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  Delete: '⌫',
  Escape: 'esc',
};
const otherNames: Readonly<Record<string, string>> = { ...signs, Delete: 'Del', Escape: 'Esc' };
const ariaNames: Readonly<Record<string, string>> = { Mod: isMac ? 'Meta' : 'Control', Ctrl: 'Control' };

/** Returns a shortcut such as `Mod+Shift+N` in the notation of this operating system; `Mod` is ⌘ or Ctrl, on German keyboards Strg. */
export function shortcutLabel(shortcut: string): string {
  const keys = shortcut.split('+');
  if (isMac) return keys.map((key) => macSigns[key] ?? key).join('');
  return keys
    .map((key) => (key === 'Mod' || key === 'Ctrl' ? i18n.t('controlKey') : (otherNames[key] ?? key)))
    .join('+');
}

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
