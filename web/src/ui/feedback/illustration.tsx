import { useEffect, useState } from 'react';
import { lazyPart } from '../overlays/lazy-part.ts';
import type { IllustrationName } from './drawings.tsx';
import styles from './illustration.module.css';

export type { IllustrationName };

/** Loaded on demand, because the first screen with entries has no illustration. */
const parts = lazyPart(() => import('./drawings.tsx'));

/** The illustration of an empty or failed page. Decorative, above a title. */
export function Illustration({ name }: { name: IllustrationName }) {
  const [, renderAgain] = useState(parts.peek());
  useEffect(() => {
    // Without its drawing the ground remains.
    if (parts.peek() === null) parts.load().then(renderAgain, () => undefined);
  }, []);
  return (
    <svg className={styles.drawing} viewBox="0 0 200 140" fill="none" aria-hidden="true">
      <circle className={styles.ground} cx="100" cy="70" r="58" />
      <path d="M28 128h144" />
      <path d="m52 128-3-8M56 128l1-10M60 128l4-7M146 128l-3-7M150 128l2-9" />
      {parts.peek()?.drawings[name]}
    </svg>
  );
}
