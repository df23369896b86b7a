import { useSyncExternalStore } from 'react';
import { storedText, storeText } from '../browser-storage.ts';

const storageKey = 'filestead.single-keys';

let isEnabled = storedText(storageKey) !== 'off';
const listeners = new Set<() => void>();

/**
 * Whether single-character shortcuts, such as `?`, are enabled. Speech input and unintended key presses can trigger
 * them, so they can be turned off (WCAG 2.1.4).
 */
export const areSingleKeysOn = (): boolean => isEnabled;

/** Enables or disables single-character shortcuts; stored in this browser. */
export function setSingleKeys(isOn: boolean): void {
  isEnabled = isOn;
  storeText(storageKey, isOn ? null : 'off');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns {@link areSingleKeysOn} and renders again when it changes. */
export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, areSingleKeysOn);

/** Whether the shortcut is a single character without a modifier key, such as `?`, `I` or `Plus`. */
export const isSingleKey = (shortcut: string): boolean =>
  shortcut.length === 1 || shortcut === 'Plus' || shortcut === 'Minus';
