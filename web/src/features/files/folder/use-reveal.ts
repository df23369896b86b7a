import { useEffect, useSyncExternalStore, type RefObject } from 'react';
import type { FolderSession } from './folder-session.ts';
import type { ListingHandle } from '../listing/listing-options.ts';

/**
 * Scrolls to the entry that the session reveals and focuses it, unless the user has moved the cursor or the focus.
 */
export function useReveal(
  session: FolderSession,
  listing: RefObject<Pick<ListingHandle, 'reveal' | 'focusEntry'> | null>,
): void {
  const revealed = useSyncExternalStore(session.subscribe, session.getRevealed);
  useEffect(() => {
    if (!revealed || session.model.cursor !== revealed.id) return;
    listing.current?.reveal(revealed.id);
    if (isFocusInListing()) listing.current?.focusEntry(revealed.id);
  }, [revealed, session, listing]);
}

/** Whether an entry, or no element at all, has the focus. */
function isFocusInListing(): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement.closest('[data-id]') !== null || activeElement.matches('main, main [tabindex="-1"]');
}
