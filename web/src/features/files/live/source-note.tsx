import { useSyncExternalStore } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import type { FolderSession } from '../folder/folder-session.ts';
import styles from './source-note.module.css';

/** A note that changes by others may appear late, shown for folders that the server polls. */
export function SourceNote({ session }: { session: FolderSession }) {
  const { t } = useTranslation('files');
  const source = useSyncExternalStore(session.subscribe, session.getSource);
  return source === 'polling' ? <p className={styles.note}>{t('polledFolder')}</p> : null;
}
