import type { RefObject } from 'react';
import { afterDialogs } from '../../../ui/overlays/after-dialogs.ts';
import type { ListingHandle } from '../listing/listing-options.ts';
import type { ListingModel } from '../listing/model/listing-model.ts';

/** An entry that has not arrived by then, in ms, gets no focus any more. */
const patienceMs = 5000;

/**
 * Gives the keyboard to the entry `name` once the dialog that made it has closed and the entry has arrived; not to the
 * button that opened the dialog, which Enter would press again.
 */
export function focusEntry(
  model: ListingModel,
  listing: RefObject<Pick<ListingHandle, 'focusEntry'> | null>,
  name: string,
): void {
  afterDialogs(() => {
    const before = document.activeElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tryNow = (): boolean => {
      const id = model.find(name);
      if (id === null) return false;
      clearTimeout(timer);
      // Whoever has moved on meanwhile is not taken back.
      if (document.activeElement === before) listing.current?.focusEntry(id);
      return true;
    };
    if (tryNow()) return;
    const stop = model.subscribe(() => {
      if (tryNow()) stop();
    });
    timer = setTimeout(stop, patienceMs);
  });
}
