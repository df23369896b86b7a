import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { measureFolder, type TreeSize } from './measure-folder.ts';
import styles from './details-panel.module.css';
import { filesText } from '../feedback/files-text.ts';
import { toastFailure } from '../feedback/toasts.ts';

/**
 * Shows the size of a folder: the known one, and on request the exact one, for which the server has to list everything
 * below it.
 */
export function FolderSize({ path, knownBytes }: { path: VirtualPath; knownBytes?: number | undefined }) {
  const { t } = useTranslation('files');
  const [treeSize, setTreeSize] = useState<TreeSize | null>(null);
  const [isCounting, setCounting] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const count = async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setCounting(true);
    try {
      setTreeSize(await measureFolder(path, { signal: controller.signal, onProgress: setTreeSize }));
    } catch (error) {
      if (controller.signal.aborted) return;
      setTreeSize(null);
      toastFailure(filesText('failed.folderSize'), error);
    } finally {
      if (!controller.signal.aborted) setCounting(false);
    }
  };
  return (
    <span className={styles.folderSize} aria-live="polite">
      {!treeSize && knownBytes !== undefined && <span>{formatSize(knownBytes)}</span>}
      {treeSize && (
        <span>
          {formatSize(treeSize.bytes)}{' '}
          <span className={styles.exact}>
            {t('details.holds', {
              files: t('details.fileCount', pluralValues(treeSize.files)),
              folders: t('details.folderCount', pluralValues(treeSize.folders)),
            })}
          </span>
        </span>
      )}
      {(!treeSize || isCounting) && (
        <Button size="small" isPending={isCounting} onClick={() => void count()}>
          {t(knownBytes === undefined ? 'details.calculate' : 'details.countNow')}
        </Button>
      )}
    </span>
  );
}
