import type { ReactNode } from 'react';
import styles from './folder-summary.module.css';

interface FolderSummaryProps {
  heading: string;
  /** The numbers below the heading. */
  numbers: ReactNode;
  /** Links and buttons beside the heading. */
  actions: ReactNode;
}

/** The row above the content of a page about the space of a folder. */
export function FolderSummary({ heading, numbers, actions }: FolderSummaryProps) {
  return (
    <div className={styles.summary}>
      <div className={styles.texts}>
        <h2>{heading}</h2>
        {numbers}
      </div>
      {actions}
    </div>
  );
}
