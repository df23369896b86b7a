import { useTranslation } from '../../../i18n/use-translation.ts';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { Grid2x2, Moon, Sun } from '../../../ui/icons.ts';
import { grounds, type Ground } from './ground.ts';

const icons = { checkered: <Grid2x2 />, light: <Sun />, dark: <Moon /> };

/** Chooses the ground of a picture with transparency. */
export function GroundSwitch({ ground, onGround }: { ground: Ground; onGround: (ground: Ground) => void }) {
  const { t } = useTranslation('previews');
  const isPhone = useIsPhone();
  return (
    <SegmentedControl
      label={t('ground.label')}
      value={ground}
      onChange={onGround}
      options={grounds.map((value) => ({
        value,
        label: t(`ground.${value}`),
        icon: isPhone ? icons[value] : undefined,
      }))}
    />
  );
}
