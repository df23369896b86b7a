import type { ReactNode } from 'react';
import styles from '../kitchen-sink.module.css';

const states = [
  ['', 'at rest'],
  ['hover', 'pointer on it'],
  ['focus', 'keyboard focus'],
  ['hover press', 'pressed'],
] as const;

/** A part in each state that the pointer and the keyboard cause (`show-states.ts`). */
export function States({ children }: { children: ReactNode }) {
  return (
    <div className={styles.states}>
      {states.map(([state, caption]) => (
        <figure key={state} className={styles.state}>
          <div className={styles.row} data-show={state}>
            {children}
          </div>
          <figcaption className={styles.caption}>{caption}</figcaption>
        </figure>
      ))}
    </div>
  );
}
