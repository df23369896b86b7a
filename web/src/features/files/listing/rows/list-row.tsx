import { memo } from 'react';
import { formatPercent } from '../../../../i18n/format.ts';
import { EntryDate, EntryName, EntryPicture, entryNote } from './entry-parts.tsx';
import { type EntryRowProps, useEntryRow } from './entry-row.ts';
import styles from '../entry.module.css';

/** One line of the list. */
export const ListRow = memo(function ListRow(props: EntryRowProps) {
  const { item, pending, attributes } = useEntryRow(props);
  const note = entryNote(item, pending);
  return (
    <div {...attributes} role="row" aria-rowindex={props.position + 2} className={styles.row}>
      <div role="gridcell" aria-colindex={1} className={styles.nameCell}>
        <span className={styles.check} data-part="check" aria-hidden="true" />
        <EntryPicture
          item={item}
          size={props.isPhone ? 24 : 20}
          thumbnailUrl={props.thumbnailUrl}
          pace={props.pace}
          isWhole={false}
          pending={pending}
        />
        <EntryName name={item.name} />
      </div>
      <div
        role="gridcell"
        aria-colindex={2}
        className={styles.sizeCell}
        data-empty={note === '' || undefined}
      >
        {pending === null || props.isPhone ? (
          <bdi>{note}</bdi>
        ) : (
          <>
            {/* The column is narrow; that it is an upload shows at its picture. */}
            <bdi aria-hidden="true">{formatPercent(pending / 100)}</bdi>
            <span className="visually-hidden">{note}</span>
          </>
        )}
      </div>
      <div role="gridcell" aria-colindex={3} className={styles.dateCell}>
        <EntryDate atMs={item.modifiedMs} isExact={props.isExactDate} />
      </div>
      <span className={styles.menu} data-part="menu" aria-hidden="true" />
    </div>
  );
});
