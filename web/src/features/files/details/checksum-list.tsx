import { checksumAlgorithms, getResource } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Copy } from '../../../ui/icons.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import styles from './details-panel.module.css';
import { filesText, toastFailure } from '../feedback/toasts.ts';

type Algorithm = (typeof checksumAlgorithms)[number];

/** Checksums on demand: the server reads the whole file for each. */
export function ChecksumList({ path }: { path: VirtualPath }) {
  const { t } = useTranslation('files');
  const [sums, setSums] = useState<Partial<Record<Algorithm, string>>>({});
  const [pending, setPending] = useState<Algorithm | null>(null);
  const leave = useRef<AbortController>(null);
  useEffect(() => () => leave.current?.abort(), []);
  const show = async (algorithm: Algorithm) => {
    leave.current?.abort();
    const mine = new AbortController();
    leave.current = mine;
    setPending(algorithm);
    try {
      const resource = await call(getResource, {
        path,
        query: { checksum: algorithm },
        signal: mine.signal,
      });
      const sum = resource.checksums?.[algorithm];
      if (sum !== undefined && !mine.signal.aborted) setSums((known) => ({ ...known, [algorithm]: sum }));
    } catch (error) {
      if (!mine.signal.aborted) toastFailure(filesText('failed.checksum'), error);
    } finally {
      if (!mine.signal.aborted) setPending(null);
    }
  };
  return (
    <section className={styles.checksums}>
      <h3>{t('details.checksums')}</h3>
      {checksumAlgorithms.map((algorithm) => {
        const sum = sums[algorithm];
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
                  onClick={() => void copyAndTell(sum)}
                />
              </>
            )}
          </div>
        );
      })}
    </section>
  );
}

async function copyAndTell(text: string): Promise<void> {
  if (await copyText(text)) showToast({ tone: 'success', message: filesText('details.copied') });
  else showToast({ tone: 'error', message: filesText('details.copyFailed') });
}
