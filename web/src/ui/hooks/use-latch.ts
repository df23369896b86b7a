import { useState } from 'react';

/** Becomes true when `flag` first is, and stays true. */
export function useLatch(flag: boolean): boolean {
  const [isLatched, setLatched] = useState(flag);
  if (flag && !isLatched) setLatched(true);
  return isLatched || flag;
}
