import { useState } from 'react';

/** Returns how often `isOpen` has become true so far. */
export function useOpeningCount(isOpen: boolean): number {
  const [previous, setPrevious] = useState({ isOpen, count: isOpen ? 1 : 0 });
  if (previous.isOpen === isOpen) return previous.count;
  const next = { isOpen, count: previous.count + (isOpen ? 1 : 0) };
  setPrevious(next);
  return next.count;
}
