import { checksumAlgorithms, getResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ChevronDown, Copy, Hash } from '../../../ui/icons.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import styles from './details-panel.module.css';
import { filesText } from '../feedback/files-text.ts';
import { toastFailure } from '../feedback/toasts.ts';

type Algorithm = (typeof checksumAlgorithms)[number];

/** Shows checksums on request, since the server has to read the whole file for each. */
export function ChecksumList({ path }: { path: VirtualPath }) {
  const { t } = useTranslation('files');
  const [checksums, setChecksums] = useState<Partial<Record<Algorithm, string>>>({});
  const [pending, setPending] = useState<Algorithm | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const show = async (algorithm: Algorithm) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setPending(algorithm);
    try {
      const resource = await call(getResource, {
        path,
        query: { checksum: algorithm },
        signal: controller.signal,
      });
      const sum = resource.checksums?.[algorithm];
      if (sum !== undefined && !controller.signal.aborted)
        setChecksums((previous) => ({ ...previous, [algorithm]: sum }));
    } catch (error) {
      if (!controller.signal.aborted) toastFailure(filesText('failed.checksum'), error);
    } finally {
      if (!controller.signal.aborted) setPending(null);
    }
  };
  return (
    <details className={styles.checksums}>
      <summary>
        <Hash aria-hidden="true" />
        <span className={styles.foldText}>{t('details.checksums')}</span>
        <ChevronDown className={styles.chevron} aria-hidden="true" />
      </summary>
      {checksumAlgorithms.map((algorithm) => {
        const sum = checksums[algorithm];
        const name = algorithm.toUpperCase();
        return (
          <div key={algorithm} className={styles.checksum}>
            <span className={styles.algorithm}>{name}</span>
            {sum === undefined ? (
              <Button
                variant="quiet"
                size="small"
                aria-label={t('details.showChecksum', { algorithm: name })}
                isPending={pending === algorithm}
                onClick={() => void show(algorithm)}
              >
                {t('details.show')}
              </Button>
            ) : (
              <>
                <code dir="ltr">{sum}</code>
                <IconButton
                  size="small"
                  label={t('details.copyChecksum', { algorithm: name })}
                  icon={<Copy />}
                  onClick={() => void copyAndNotify(sum)}
                />
              </>
            )}
          </div>
        );
      })}
    </details>
  );
}

async function copyAndNotify(text: string): Promise<void> {
  if (await copyText(text)) showToast({ tone: 'success', message: filesText('details.copied') });
  else showToast({ tone: 'error', message: filesText('details.copyFailed') });
}
