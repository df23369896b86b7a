import type { RefObject } from 'react';
import { runAfterDialogs } from '../../../ui/overlays/run-after-dialogs.ts';
import type { ListingHandle } from '../listing/listing-options.ts';
import type { ListingModel } from '../listing/model/listing-model.ts';

/** The time to wait for the entry to arrive, in ms. */
const timeoutMs = 5000;

/**
 * Focuses the entry `name` once the dialog that created it has closed and the entry has arrived, instead of the
 * button that opened the dialog, which Enter would press again.
 */
export function focusEntry(
  model: ListingModel,
  listing: RefObject<Pick<ListingHandle, 'focusEntry'> | null>,
  name: string,
): void {
  runAfterDialogs(() => {
    const initialFocus = document.activeElement;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const focusIfPresent = (): boolean => {
      const id = model.find(name);
      if (id === null) return false;
      clearTimeout(timer);
      // The focus stays where the user has moved it in the meantime.
      if (document.activeElement === initialFocus) listing.current?.focusEntry(id);
      return true;
    };
    if (focusIfPresent()) return;
    const stop = model.subscribe(() => {
      if (focusIfPresent()) stop();
    });
    timer = setTimeout(stop, timeoutMs);
  });
}
