import { idOfTarget, type ListingSurface } from './surface.ts';

/**
 * Makes the names of entries links: the browser shows their address and opens them in a new tab with the middle button.
 * The address is set when the pointer is over a name, since computing it for every row would slow down scrolling.
 */
export function attachLinks(surface: ListingSurface): () => void {
  const { root } = surface.elements;
  const listening = new AbortController();
  const { signal } = listening;
  const addressAt = (target: EventTarget | null): string | null => {
    const id = idOfTarget(target);
    const { model, addressOf } = surface.props();
    return id === null || model.pendingPercent(id) !== null ? null : (addressOf?.(id) ?? null);
  };
  root.addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      const link = target instanceof Element ? target.closest('a[data-part="name"]') : null;
      const address = link === null || pointerType === 'touch' ? null : addressAt(link);
      if (address !== null) link?.setAttribute('href', address);
    },
    { signal, passive: true },
  );
  root.addEventListener(
    'auxclick',
    (event) => {
      if (event.button !== 1 || (event.target instanceof Element && event.target.closest('a[href]'))) return;
      const address = addressAt(event.target);
      if (address !== null) openTab(address);
    },
    { signal },
  );
  // A press of the middle button on a row would otherwise start the browser's automatic scrolling.
  root.addEventListener(
    'mousedown',
    (event) => {
      if (event.button === 1 && addressAt(event.target) !== null) event.preventDefault();
    },
    { signal },
  );
  // A plain or modified click selects or opens within the page.
  root.addEventListener(
    'click',
    (event) => {
      if (event.target instanceof Element && event.target.closest('a[data-part="name"]'))
        event.preventDefault();
    },
    { signal },
  );
  return () => listening.abort();
}

/** Opens an address in a new tab. */
export const openTab = (address: string): void => void window.open(address, '_blank', 'noopener');
