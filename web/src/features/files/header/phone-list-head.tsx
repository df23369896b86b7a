import type { Sorting } from '@filestead/contract/users';
import { type ColumnKey, isAscending } from '@filestead/contract/values/listing-columns';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ArrowDown, ArrowUp } from '../../../ui/icons.ts';
import { Menu, MenuChoice, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { showView } from '../actions/change-view.ts';
import type { FolderScreen } from '../folder/use-folder-screen.ts';
import { ViewSwitch } from './folder-header.tsx';
import styles from './phone-list-head.module.css';
import { DirectionChoice, SortChoices } from './sort-menu.tsx';

/** The order of entries of several folders, which have one view. */
export interface ScatteredOrder {
  /** Null for the order of their own. */
  readonly sorting: Sorting | null;
  readonly sort: (sorting: Sorting | null) => void;
  /** The name of the order of their own; null without one. */
  readonly own: string | null;
  /** The columns by which they can be sorted, with their names. */
  readonly columns: readonly { readonly key: ColumnKey; readonly name: string }[];
}

export interface PhoneListHeadProps {
  screen: FolderScreen;
  /** The order of entries of several folders. */
  order?: ScatteredOrder;
  /** At the end of the row, in place of the view. */
  end?: ReactNode;
}

/** The row above the phone's listing: the order of the entries, and the view. */
export function PhoneListHead({ screen: { host, sort }, order, end }: PhoneListHeadProps) {
  const { t } = useTranslation(['files', 'listing']);
  const { sorting, viewMode } = host.user;
  const shown = order ? order.sorting : sorting;
  const column =
    shown === null
      ? order?.own
      : (order?.columns.find(({ key }) => key === shown.by)?.name ?? t(`listing:columns.${shown.by}.header`));
  return (
    <div className={styles.head} role="group" aria-label={t('sortAndDisplay')}>
      <MenuTrigger>
        <Button
          variant="quiet"
          className={styles.order}
          aria-label={`${t('sortBy')}: ${column}`}
          endIcon={shown && (isAscending(shown) ? <ArrowUp /> : <ArrowDown />)}
        >
          {column}
        </Button>
        <Menu placement="bottom start">
          {order ? <ScatteredChoices {...order} /> : <SortChoices sorting={sorting} onSort={sort} />}
        </Menu>
      </MenuTrigger>
      {order ? end : <ViewSwitch view={viewMode} onView={(view) => showView(host, view)} />}
    </div>
  );
}

/** The choices of a menu for the order of entries of several folders. */
function ScatteredChoices({ sorting, sort, own, columns }: ScatteredOrder) {
  const { t } = useTranslation('files');
  return (
    <>
      <MenuChoice<ColumnKey | ''>
        label={t('sortBy')}
        hasHeading
        value={sorting?.by ?? ''}
        onChange={(by) => sort(by === '' ? null : { by, asc: false })}
        options={[
          ...(own === null ? [] : [{ value: '' as const, label: own }]),
          ...columns.map(({ key, name }) => ({ value: key, label: name })),
        ]}
      />
      {sorting !== null && <DirectionChoice sorting={sorting} onSort={sort} />}
    </>
  );
}
