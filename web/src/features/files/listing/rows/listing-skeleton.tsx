import type { ColumnSet } from '../columns.tsx';
import styles from './listing-skeleton.module.css';

const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Shows placeholders for entries, in the columns of the list, until the first ones arrive. */
export const ListingSkeleton = ({ columns }: { columns: ColumnSet }) => (
  <div className={styles.skeleton}>
    {rows.map((row) => (
      <div key={row} className={styles.item}>
        {columns.columns.map(({ key, attributes }) => (
          <div key={key} {...attributes} />
        ))}
      </div>
    ))}
  </div>
);
