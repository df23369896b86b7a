import { formatNumber } from '../../../i18n/format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Pause } from '../../../ui/icons.ts';
import styles from '../previewer.module.css';
import { slideSeconds } from './slide-seconds.ts';
import type { Slideshow } from './use-slideshow.ts';

/** The actions while a slideshow is running: the time of each picture, and pause. */
export function SlideshowBar({ slideshow }: { slideshow: Slideshow }) {
  const { t } = useTranslation('previews');
  return (
    <div className={styles.actions} role="group" aria-label={t('slideshow.label')}>
      <div className={styles.interval}>
        <Select
          label={t('slideshow.interval')}
          isLabelHidden
          value={String(slideshow.seconds)}
          onChange={(chosen) => slideshow.setSeconds(Number(chosen))}
          options={slideSeconds.map((seconds) => ({
            value: String(seconds),
            label: t('slideshow.seconds', { number: formatNumber(seconds) }),
          }))}
        />
      </div>
      <IconButton label={t('slideshow.pause')} shortcut="S" icon={<Pause />} onClick={slideshow.pause} />
    </div>
  );
}
