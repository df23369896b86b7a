import { useSyncExternalStore } from 'react';

const storageKey = 'filestead.single-keys';

function areStoredOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
    return true;
  }
}

let areOn = areStoredOn();
const listeners = new Set<() => void>();

/**
 * Whether shortcuts of one character, such as `?`, act. Speech input and unintended key presses trigger them too easily
 * for some, so that they can be turned off (WCAG 2.1.4).
 */
export const areSingleKeysOn = (): boolean => areOn;

/** Turns shortcuts of one character on or off; remembered in this browser. */
export function setSingleKeys(isOn: boolean): void {
  areOn = isOn;
  try {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // See areStoredOn.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** {@link areSingleKeysOn}, rendered anew when it changes. */
export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);

/** Whether a shortcut is one character without a modifier key, such as `?`, `I` or `Plus`. */
export const isSingleKey = (shortcut: string): boolean =>
  shortcut.length === 1 || shortcut === 'Plus' || shortcut === 'Minus';
