import type { ReactNode } from 'react';
import styles from './list-foot.module.css';

interface ListFootProps {
  /** Whether phones do not show it. */
  isWideOnly?: boolean;
  children: ReactNode;
}

/** The foot of a list of entries: a summary at the start, controls at the end. */
export const ListFoot = ({ isWideOnly = false, children }: ListFootProps) => (
  <div className={styles.foot} data-wide-only={isWideOnly || undefined}>
    {children}
  </div>
);
