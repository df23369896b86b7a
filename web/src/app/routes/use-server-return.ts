import { useEffect, useEffectEvent } from 'react';
import { withBase } from '../../api/urls.ts';

/** The interval at which a server that could not be reached is asked again, in ms. */
const checkMs = 5000;

/** Calls `onReturn` once the server, which is asked at an interval, responds again. */
export function useServerReturn(onReturn: (() => void) | undefined): void {
  const isWanted = onReturn !== undefined;
  const reportReturn = useEffectEvent(() => onReturn?.());
  useEffect(() => {
    if (!isWanted) return undefined;
    let isNeeded = true;
    const check = () =>
      fetch(withBase('/health')).then(
        ({ ok }) => ok && isNeeded && reportReturn(),
        () => undefined,
      );
    const timer = setInterval(() => void check(), checkMs);
    return () => {
      isNeeded = false;
      clearInterval(timer);
    };
  }, [isWanted]);
}
