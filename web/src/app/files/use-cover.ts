import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Whether the opened file covers the page. The address changes shortly after a file is closed; `uncover` removes the
 * cover at once, so that the listing can take the focus. `visit` is the router's key of the address.
 */
export function useCover(isFileOpen: boolean, visit: string): { isCovered: boolean; uncover: () => void } {
  const [leftFile, setLeftFile] = useState<string | null>(null);
  // Navigating forward in the browser leads to the same visit again.
  if (!isFileOpen && leftFile !== null) setLeftFile(null);
  const uncover = useCallback(() => flushSync(() => setLeftFile(visit)), [visit]);
  return { isCovered: isFileOpen && leftFile !== visit, uncover };
}
