import { useState } from 'react';

/** Becomes true when `flag` first is, and stays true. */
export function useLatch(flag: boolean): boolean {
  const [was, setWas] = useState(flag);
  if (flag && !was) setWas(true);
  return was || flag;
}
