import { useSyncExternalStore } from 'react';

/** The event with which Chromium offers to install the product; other browsers have none. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallPromptEvent | null = null;
const listeners = new Set<() => void>();

function setOffer(next: InstallPromptEvent | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

const isInstallPrompt = (event: Event): event is InstallPromptEvent => 'prompt' in event;

/** Listens for the browser's offer, which is made once, soon after the page was opened; call it early. */
export function listenForInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (!isInstallPrompt(event)) return;
    // The browser's banner is suppressed: the account menu contains the offer.
    event.preventDefault();
    setOffer(event);
  });
  window.addEventListener('appinstalled', () => setOffer(null));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns a function that asks the browser to install the product, or null while it does not offer that. */
export function useInstall(): (() => void) | null {
  const current = useSyncExternalStore(subscribe, () => offer);
  if (current === null) return null;
  return () => {
    // Each offer can be used once.
    setOffer(null);
    current.prompt().catch(() => undefined);
  };
}
