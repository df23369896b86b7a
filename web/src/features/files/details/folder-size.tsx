import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSize } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { measureFolder, type FolderExtent } from './measure-folder.ts';
import styles from './details-panel.module.css';
import { counted, filesText, toastFailure } from '../feedback/toasts.ts';

/** The size of a folder on demand: the server reads everything below it. */
export function FolderSize({ path }: { path: VirtualPath }) {
  const { t } = useTranslation('files');
  const [extent, setExtent] = useState<FolderExtent | null>(null);
  const [isCounting, setCounting] = useState(false);
  const leave = useRef<AbortController>(null);
  useEffect(() => () => leave.current?.abort(), []);
  const count = async () => {
    leave.current?.abort();
    const mine = new AbortController();
    leave.current = mine;
    setCounting(true);
    try {
      setExtent(await measureFolder(path, { signal: mine.signal, onProgress: setExtent }));
    } catch (error) {
      if (mine.signal.aborted) return;
      setExtent(null);
      toastFailure(filesText('failed.folderSize'), error);
    } finally {
      if (!mine.signal.aborted) setCounting(false);
    }
  };
  return (
    <span className={styles.folderSize} aria-live="polite">
      {extent && (
        <span>
          {formatSize(extent.bytes)}{' '}
          <span className={styles.exact}>
            {t('details.holds', {
              files: t('details.fileCount', counted(extent.files)),
              folders: t('details.folderCount', counted(extent.folders)),
            })}
          </span>
        </span>
      )}
      {(!extent || isCounting) && (
        <Button size="small" isPending={isCounting} onClick={() => void count()}>
          {t('details.calculate')}
        </Button>
      )}
    </span>
  );
}
