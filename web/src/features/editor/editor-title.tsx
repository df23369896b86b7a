import { useTranslation } from '../../i18n/use-translation.ts';
import { displayName } from '../../i18n/display-name.ts';
import { LongName } from '../../ui/names/long-name.tsx';
import styles from './editor.module.css';

/** The name of the file, whose extension is always visible, with a dot while there are unsaved changes. */
export function EditorTitle({ name, isDirty }: { name: string; isDirty: boolean }) {
  const { t } = useTranslation('editor');
  return (
    <h1 className={styles.title}>
      <LongName name={displayName(name)} />
      {isDirty && <span className={styles.dot} role="img" aria-label={t('unsaved')} title={t('unsaved')} />}
    </h1>
  );
}
