import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Focuses the opened file that covers the page. Returns false when there is none. */
export function focusCover(): boolean {
  const cover = document.querySelector<HTMLElement>('[data-cover]');
  cover?.focus({ preventScroll: true });
  return cover !== null;
}

/** The opened file above a page. */
export interface Cover {
  readonly isCovered: boolean;
  /** Removes the cover at once, so that the listing can take the focus. The address changes shortly after a file is closed. */
  readonly uncover: () => void;
  /** Focuses the cover, or the listing below it when the page is not covered. */
  readonly regainFocus: () => void;
  /** Sets whether an error replaces the file, which leaves the frame of the page accessible. */
  readonly setFailed: (hasFailed: boolean) => void;
}

/**
 * Tracks whether the opened file covers the page.
 * @param visit the router's key of the address
 */
export function useCover(
  isFileOpen: boolean,
  visit: string,
  listing: RefObject<{ focus(): void } | null>,
): Cover {
  const [leftFile, setLeftFile] = useState<string | null>(null);
  // Navigating forward in the browser leads to the same visit again.
  if (!isFileOpen && leftFile !== null) setLeftFile(null);
  const uncover = useCallback(() => flushSync(() => setLeftFile(visit)), [visit]);
  const [hasFailed, setFailed] = useState(false);
  const isShown = isFileOpen && leftFile !== visit;
  const regainFocus = useCallback(() => {
    if (isShown) focusCover();
    else listing.current?.focus();
  }, [isShown, listing]);
  const wasShown = useRef(isShown);
  useEffect(() => {
    // A file that is left while its code is being loaded never had the focus, which the covered page has lost.
    if (wasShown.current && !isShown && document.activeElement === document.body) listing.current?.focus();
    wasShown.current = isShown;
  }, [isShown, listing]);
  return { isCovered: isShown && !hasFailed, uncover, regainFocus, setFailed };
}
