import { useEffect, useSyncExternalStore, type RefObject } from 'react';
import type { FolderSession } from './folder-session.ts';
import type { ListingHandle } from '../listing/listing-options.ts';

/** Scrolls to the entry that the session reveals, unless the user has moved the cursor in the meantime. */
export function useReveal(
  session: FolderSession,
  listing: RefObject<Pick<ListingHandle, 'reveal'> | null>,
): void {
  const revealed = useSyncExternalStore(session.subscribe, session.getRevealed);
  useEffect(() => {
    if (revealed && session.model.cursor === revealed.id) listing.current?.reveal(revealed.id);
  }, [revealed, session, listing]);
}
