import { isAscending } from '@filestead/contract/values/listing-columns';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ArrowDown, ArrowUp } from '../../../ui/icons.ts';
import { Menu, MenuTrigger } from '../../../ui/overlays/menu.tsx';
import { showView } from '../actions/change-view.ts';
import type { FolderScreen } from '../folder/use-folder-screen.ts';
import { ViewSwitch } from './folder-header.tsx';
import styles from './phone-list-head.module.css';
import { SortChoices } from './sort-menu.tsx';

/** The row above the phone's listing: the order of the entries, and the view. */
export function PhoneListHead({ screen: { host, sort } }: { screen: FolderScreen }) {
  const { t } = useTranslation(['files', 'listing']);
  const { sorting, viewMode } = host.user;
  const column = t(`listing:columns.${sorting.by}.header`);
  return (
    <div className={styles.head} role="group" aria-label={t('sortAndDisplay')}>
      <MenuTrigger>
        <Button
          variant="quiet"
          className={styles.order}
          aria-label={`${t('sortBy')}: ${column}`}
          endIcon={isAscending(sorting) ? <ArrowUp /> : <ArrowDown />}
        >
          {column}
        </Button>
        <Menu placement="bottom start">
          <SortChoices sorting={sorting} onSort={sort} />
        </Menu>
      </MenuTrigger>
      <ViewSwitch view={viewMode} onView={(view) => showView(host, view)} />
    </div>
  );
}
