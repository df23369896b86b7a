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
const otherNames: Readonly<Record<string, string>> = { ...signs, Mod: 'Ctrl', Delete: 'Del', Escape: 'Esc' };
const ariaNames: Readonly<Record<string, string>> = { Mod: isMac ? 'Meta' : 'Control', Ctrl: 'Control' };

/** Returns a shortcut such as `Mod+Shift+N` in the notation of this operating system; `Mod` is ⌘ or Ctrl. */
export function shortcutLabel(shortcut: string): string {
  const keys = shortcut.split('+');
  return isMac
    ? keys.map((key) => macSigns[key] ?? key).join('')
    : keys.map((key) => otherNames[key] ?? key).join('+');
}

/** Returns a shortcut in the notation of `aria-keyshortcuts`. */
export function shortcutForAria(shortcut: string): string {
  return shortcut
    .split('+')
    .map((key) => ariaNames[key] ?? key)
    .join('+');
}
