import type { ReactNode } from 'react';
import styles from './list-footer.module.css';

interface ListFooterProps {
  /** Whether phones do not show it. */
  isWideOnly?: boolean;
  children: ReactNode;
}

/** The footer of a list of entries: a summary at the start, controls at the end. */
export const ListFooter = ({ isWideOnly = false, children }: ListFooterProps) => (
  <div className={styles.footer} data-wide-only={isWideOnly || undefined}>
    {children}
  </div>
);
