import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import styles from './arrival-note.module.css';

/** A note after the name of an entry that has just arrived: "New, from Ada", or "New" while nobody is known to have added it. */
export function ArrivalNote({ from }: { from: string | undefined }) {
  const { t } = useTranslation('listing');
  return (
    <span className={styles.note}>
      <span className={styles.text}>
        {from === undefined ? t('new') : t('newFrom', { name: isolateBidi(from) })}
      </span>
    </span>
  );
}
