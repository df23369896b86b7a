import type { ViewMode } from '@filestead/contract/users';
import type { CSSProperties } from 'react';
import styles from './listing-skeleton.module.css';

/** The widths of the bars in percent, which resemble names. */
const widths = [34, 22, 41, 28, 18, 37, 25, 31, 20, 39];

/** Shows placeholders for entries until the first ones arrive. */
export function ListingSkeleton({ view }: { view: ViewMode }) {
  return (
    <div className={styles.skeleton} data-view={view} aria-hidden="true">
      {widths.map((width) => (
        <div key={width} className={styles.item} style={{ '--width': `${width}%` } as CSSProperties} />
      ))}
    </div>
  );
}
