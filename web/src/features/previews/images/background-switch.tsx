import { useTranslation } from '../../../i18n/use-translation.ts';
import { SegmentedControl } from '../../../ui/fields/segmented-control.tsx';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { Grid2x2, Moon, Sun } from '../../../ui/icons.ts';
import { backgrounds, type Background } from './background.ts';

const icons = { checkered: <Grid2x2 />, light: <Sun />, dark: <Moon /> };

/** Chooses the background of a picture with transparency. */
export function BackgroundSwitch({
  background,
  onBackground,
}: {
  background: Background;
  onBackground: (background: Background) => void;
}) {
  const { t } = useTranslation('previews');
  const isPhone = useIsPhone();
  return (
    <SegmentedControl
      label={t('background.label')}
      value={background}
      onChange={onBackground}
      options={backgrounds.map((value) => ({
        value,
        label: t(`background.${value}`),
        icon: isPhone ? icons[value] : undefined,
      }))}
    />
  );
}
