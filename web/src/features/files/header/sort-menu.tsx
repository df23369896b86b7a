import { sortKeys, type Sorting } from '@filestead/contract/users';
import { useTranslation } from 'react-i18next';
import { MenuChoice, MenuSeparator } from '../../../ui/overlays/menu.tsx';
import {
  chooseDensity,
  chooseTileStep,
  densities,
  tileWidthsPx,
  useViewOptions,
} from '../folder/view-options.ts';

/** The labels of the two directions of each key, the default first (`asc` false, see the contract of sorting). */
const directions = {
  name: { usual: 'nameUp', other: 'nameDown' },
  size: { usual: 'sizeDown', other: 'sizeUp' },
  modified: { usual: 'modifiedDown', other: 'modifiedUp' },
} as const;

/** The choices of a menu for the order of the listing. */
export function SortChoices({ sorting, onSort }: { sorting: Sorting; onSort: (sorting: Sorting) => void }) {
  const { t } = useTranslation('files');
  const { usual, other } = directions[sorting.by];
  return (
    <>
      <MenuChoice
        label={t('sortBy')}
        hasHeading
        value={sorting.by}
        onChange={(by) => onSort({ by, asc: false })}
        options={sortKeys.map((by) => ({ value: by, label: t(`sort.${by}`) }))}
      />
      <MenuSeparator />
      <MenuChoice
        label={t('sortDirection')}
        value={String(sorting.asc)}
        onChange={(asc) => onSort({ by: sorting.by, asc: asc === 'true' })}
        options={[
          { value: 'false', label: t(`sort.${usual}`) },
          { value: 'true', label: t(`sort.${other}`) },
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

/** The choices of a menu for the size of the tiles, where the bar has no room for the slider. */
export function TileChoices() {
  const { t } = useTranslation('files');
  const tileStep = useViewOptions((options) => options.tileStep);
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
