import { useSyncExternalStore } from 'react';

/** What Chromium hands over when the product could be installed; no other browser knows it. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallPromptEvent | null = null;
const listeners = new Set<() => void>();

function set(next: InstallPromptEvent | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

const isInstallPrompt = (event: Event): event is InstallPromptEvent => 'prompt' in event;

/** Must be called early: the browser makes its offer once, soon after the page was opened. */
export function listenForInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (!isInstallPrompt(event)) return;
    // No banner: the offer stands in the account menu.
    event.preventDefault();
    set(event);
  });
  window.addEventListener('appinstalled', () => set(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the browser to install the product; null while it does not offer that. */
export function useInstall(): (() => void) | null {
  const current = useSyncExternalStore(subscribe, () => offer);
  if (current === null) return null;
  return () => {
    // The browser takes each offer once.
    set(null);
    current.prompt().catch(() => undefined);
  };
}
