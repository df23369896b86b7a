import type { ReactNode } from 'react';
import styles from './frame-title.module.css';

/** The heading in the header of the frame. A long one is cut. */
export function FrameTitle({ children }: { children: ReactNode }) {
  return <h1 className={styles.title}>{children}</h1>;
}
