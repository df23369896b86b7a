import { useState } from 'react';

/** Returns how often `isOpen` has become true so far. */
export function useOpeningCount(isOpen: boolean): number {
  const [seen, setSeen] = useState({ isOpen, count: isOpen ? 1 : 0 });
  if (seen.isOpen === isOpen) return seen.count;
  const next = { isOpen, count: seen.count + (isOpen ? 1 : 0) };
  setSeen(next);
  return next.count;
}
