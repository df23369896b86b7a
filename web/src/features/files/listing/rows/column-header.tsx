import { type Sorting, sortKeys } from '@filestead/contract/users';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { ArrowDown, ArrowUp } from '../../../../ui/icons.ts';
import type { ListingModel } from '../model/listing-model.ts';
import styles from '../listing.module.css';

/** Names run upwards when `asc` is false on the wire, sizes and dates when it is true (contract: Sorting). */
export const isUpwards = ({ by, asc }: Sorting): boolean => (by === 'name' ? !asc : asc);

/** The sorting after a click on a column: the other direction, or A to Z, largest or newest first. */
export const sortingAfterClick = (old: Sorting, by: Sorting['by']): Sorting => ({
  by,
  asc: old.by === by ? !old.asc : false,
});

export interface ColumnHeaderProps {
  readonly model: ListingModel;
  readonly onSort: (sorting: Sorting) => void;
}

/** The heads of the columns, which sort. They stay at the top while the rows scroll. */
export function ColumnHeader({ model, onSort }: ColumnHeaderProps) {
  const { t } = useTranslation('listing');
  const sorting = useSyncExternalStore(model.subscribe, () => model.sorting);
  const sort = (by: Sorting['by']): void => {
    const next = sortingAfterClick(model.sorting, by);
    model.sort(next);
    onSort(next);
  };
  const Arrow = isUpwards(sorting) ? ArrowUp : ArrowDown;
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {sortKeys.map((by, index) => {
        const direction = isUpwards(sorting) ? 'ascending' : 'descending';
        return (
          <div
            key={by}
            role="columnheader"
            aria-colindex={index + 1}
            aria-sort={sorting.by === by ? direction : 'none'}
            data-column={by}
          >
            <button type="button" className={styles.headButton} onClick={() => sort(by)}>
              {t(`columns.${by}`)}
              {sorting.by === by && <Arrow aria-hidden="true" />}
            </button>
          </div>
        );
      })}
    </div>
  );
}
