import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import styles from './folder-filter.module.css';

interface FolderFilterProps {
  /** The path of the folder below which the list shows entries. */
  folder: string;
  /** Called when the user removes the filter. */
  onClear: () => void;
}

/** The folder to which a list is limited, with a button that shows the whole list. Its texts are in the namespace `filters`. */
export function FolderFilter({ folder, onClear }: FolderFilterProps) {
  const { t } = useTranslation('filters');
  return (
    <p className={styles.filter}>
      {t('below', { folder: isolateBidi(folder) })}{' '}
      <Button size="small" variant="quiet" onClick={onClear}>
        {t('all')}
      </Button>
    </p>
  );
}
