import { useState } from 'react';

/** True from the first time that `flag` is true. */
export function useLatch(flag: boolean): boolean {
  const [was, setWas] = useState(flag);
  if (flag && !was) setWas(true);
  return was || flag;
}
