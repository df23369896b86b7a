import { useTranslation } from '../../../i18n/use-translation.ts';
import { LayoutGrid } from '../../../ui/icons.ts';
import styles from './tile-slider.module.css';
import { chooseTileStep, tileWidthsPx, useViewOptions } from '../folder/view-options.ts';

/** A slider for the size of the tiles. */
export function TileSlider() {
  const { t } = useTranslation('files');
  const tileStep = useViewOptions((options) => options.tileStep);
  return (
    <label className={styles.slider} title={t('tileSize')}>
      <LayoutGrid aria-hidden="true" />
      <input
        type="range"
        aria-label={t('tileSize')}
        aria-valuetext={t('tileWidth', { pixels: tileWidthsPx[tileStep] })}
        min={0}
        max={tileWidthsPx.length - 1}
        value={tileStep}
        onChange={(event) => chooseTileStep(Number(event.target.value))}
      />
    </label>
  );
}
