import { sortKeys, type Sorting } from '@filestead/contract/users';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { MenuChoice, MenuItem, MenuSeparator } from '../../../ui/overlays/menu.tsx';
import {
  chooseDensity,
  chooseTileStep,
  currentTileStep,
  densities,
  tileWidthsPx,
  useViewOptions,
} from '../folder/view-options.ts';

interface SortChoicesProps {
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

/** The choices of a menu for the order of the listing. */
export function SortChoices({ sorting, onSort }: SortChoicesProps) {
  const { t } = useTranslation(['files', 'listing']);
  return (
    <>
      <MenuChoice
        label={t('sortBy')}
        hasHeading
        value={sorting.by}
        onChange={(by) => onSort({ by, asc: false })}
        options={sortKeys.map((by) => ({ value: by, label: t(`listing:columns.${by}.sort`) }))}
      />
      <DirectionChoice sorting={sorting} onSort={onSort} />
    </>
  );
}

/** The choice of a menu between the usual direction of an order and the other one. */
export function DirectionChoice({ sorting, onSort }: SortChoicesProps) {
  const { t } = useTranslation(['files', 'listing']);
  return (
    <>
      <MenuSeparator />
      <MenuChoice
        label={t('sortDirection')}
        value={String(sorting.asc)}
        onChange={(asc) => onSort({ by: sorting.by, asc: asc === 'true' })}
        options={[
          { value: 'false', label: t(`listing:columns.${sorting.by}.usual`) },
          { value: 'true', label: t(`listing:columns.${sorting.by}.other`) },
        ]}
      />
    </>
  );
}

/** The choices of a menu for the height of the rows. */
export function DensityChoices() {
  const { t } = useTranslation('files');
  const density = useViewOptions((options) => options.density);
  return (
    <>
      <MenuSeparator />
      <MenuChoice
        label={t('density')}
        hasHeading
        value={density}
        onChange={chooseDensity}
        options={densities.map((value) => ({ value, label: t(`densities.${value}`) }))}
      />
    </>
  );
}

/** The choices of a menu for the size of the tiles. */
export function TileChoices() {
  const { t } = useTranslation('files');
  const tileStep = useViewOptions(currentTileStep);
  return (
    <>
      <MenuSeparator />
      <MenuChoice
        label={t('tileSize')}
        hasHeading
        value={String(tileStep)}
        onChange={(step) => chooseTileStep(Number(step))}
        options={tileWidthsPx.map((pixels, step) => ({
          value: String(step),
          label: t('tileWidth', { pixels }),
        }))}
      />
    </>
  );
}

/** The menu item that applies the view of this folder to all folders. */
export function UseForAllItem({ onUseForAll }: { onUseForAll: () => void }) {
  const { t } = useTranslation('files');
  return (
    <>
      <MenuSeparator />
      <MenuItem onAction={onUseForAll}>{t('useForAllFolders')}</MenuItem>
    </>
  );
}
