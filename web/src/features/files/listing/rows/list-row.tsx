import { memo } from 'react';
import parts from '../../../../ui/selection/row-parts.module.css';
import type { ColumnSet } from '../columns.tsx';
import styles from '../entry.module.css';
import { type EntryRowProps, useEntryRow } from './entry-row.ts';

/** The columns whose cells contain the marks of an entry. Styles show the tags in one of them. */
const markColumns: ReadonlySet<string> = new Set(['name', 'tags']);

/** One line of the list. */
export const ListRow = memo(function ListRow(props: EntryRowProps & { columns: ColumnSet }) {
  const { item, pending, sizeFraction, attributes } = useEntryRow(props);
  const { isPhone, isExactDate, thumbnailUrl, pace, scattered } = props;
  return (
    <div
      {...attributes}
      role="row"
      aria-rowindex={props.position + (isPhone ? 1 : 2)}
      className={`${parts.row} ${styles.row}`}
    >
      {props.columns.columns.map((column) => (
        <div
          key={column.key}
          {...column.attributes}
          role="gridcell"
          className={column.key === 'name' ? styles.nameCell : styles.cell}
        >
          {column.cell({ item, pending, sizeFraction, isPhone, isExactDate, thumbnailUrl, pace, scattered })}
          {markColumns.has(column.key) && props.model.decoration(item.path)}
          {column.key === 'name' && scattered?.excerpt && (
            <span className={styles.excerpt}>{scattered.excerpt(item)}</span>
          )}
        </div>
      ))}
      <span className={`${parts.menuDots} ${styles.menu}`} data-part="menu" aria-hidden="true" />
    </div>
  );
});
