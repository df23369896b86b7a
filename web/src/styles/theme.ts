import { useSyncExternalStore } from 'react';
import { storedText, storeText } from '../ui/browser-storage.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/** Also read by the script in index.html, before the first paint. */
const storageKey = 'filestead.theme';

let choice: ThemeChoice = 'system';
const listeners = new Set<() => void>();

function storedChoice(): ThemeChoice | null {
  const stored = storedText(storageKey);
  return themeChoices.find((theme) => theme === stored) ?? null;
}

function apply(): void {
  const root = document.documentElement;
  if (choice === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = choice;
}

/** Shows the theme stored in this browser, else the administrator's (`''`: the system's). */
export function startTheme(administratorTheme: '' | 'light' | 'dark'): void {
  choice = storedChoice() ?? (administratorTheme === '' ? 'system' : administratorTheme);
  apply();
  for (const listener of listeners) listener();
}

/** Shows a theme and stores the choice in this browser. */
export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  storeText(storageKey, next);
  apply();
  for (const listener of listeners) listener();
}

/** Returns the chosen theme. */
export function currentTheme(): ThemeChoice {
  return choice;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the chosen theme and the function that changes it. */
export function useTheme(): [ThemeChoice, (next: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, currentTheme), chooseTheme];
}

const darkSystem = '(prefers-color-scheme: dark)';

function isDark(): boolean {
  return choice === 'dark' || (choice === 'system' && matchMedia(darkSystem).matches);
}

function subscribeToBoth(listener: () => void): () => void {
  const system = matchMedia(darkSystem);
  system.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}

/**
 * Whether the page is dark, by choice or by system. Only for components that cannot use CSS for it, such as the theme
 * of the editor.
 */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribeToBoth, isDark);
}
