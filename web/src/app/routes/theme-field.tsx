import { useTheme } from '../../styles/theme.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { useThemeOptions } from '../frame/account.ts';

/** The theme of this browser. */
export function ThemeField() {
  const { t } = useTranslation('app');
  const [theme, choose] = useTheme();
  return (
    <div data-control="field">
      <span data-part="label" aria-hidden="true">
        {t('frame.theme')}
      </span>
      <SegmentedControl
        label={t('frame.theme')}
        value={theme}
        onChange={choose}
        options={useThemeOptions()}
      />
    </div>
  );
}
