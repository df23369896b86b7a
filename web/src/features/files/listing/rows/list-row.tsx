import { memo } from 'react';
import parts from '../../../../ui/selection/row-parts.module.css';
import { listColumns } from '../columns.tsx';
import styles from '../entry.module.css';
import { type EntryRowProps, useEntryRow } from './entry-row.ts';

/** One line of the list. */
export const ListRow = memo(function ListRow(props: EntryRowProps) {
  const { item, pending, share, attributes } = useEntryRow(props);
  const { isPhone, isExactDate, thumbnailUrl, pace, scattered } = props;
  return (
    <div
      {...attributes}
      role="row"
      aria-rowindex={props.position + 2}
      className={`${parts.row} ${styles.row}`}
    >
      {listColumns(scattered !== undefined).map((column) => (
        <div
          key={column.key}
          {...column.attributes}
          role="gridcell"
          className={column.key === 'name' ? styles.nameCell : styles.cell}
        >
          {column.cell({ item, pending, share, isPhone, isExactDate, thumbnailUrl, pace, scattered })}
          {column.key === 'name' && props.model.decoration(item.path)}
        </div>
      ))}
      <span className={`${parts.menuDots} ${styles.menu}`} data-part="menu" aria-hidden="true" />
    </div>
  );
});
