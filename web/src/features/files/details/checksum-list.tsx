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

/** The size of the largest file whose checksums are computed without being requested one by one, in bytes. */
const maxUnrequestedBytes = 100_000_000;
/** The most frequently used algorithm is the first. */
const computedOrder = checksumAlgorithms.toSorted(
  (one, other) => Number(other === 'sha256') - Number(one === 'sha256'),
);

interface ChecksumListProps {
  path: VirtualPath;
  /** Bytes. */
  size: number;
}

/**
 * Computes the checksums of a file when it is opened; those of a large one on request, since the server has to read the
 * whole file for each. Closing it cancels.
 */
export function ChecksumList({ path, size }: ChecksumListProps) {
  const { t } = useTranslation('files');
  const [checksums, setChecksums] = useState<Partial<Record<Algorithm, string>>>({});
  const [pending, setPending] = useState<Algorithm | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const cancel = () => {
    running.current?.abort();
    setPending(null);
  };
  const compute = async (algorithms: readonly Algorithm[]) => {
    running.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    try {
      for (const algorithm of algorithms) {
        setPending(algorithm);
        const resource = await call(getResource, { path, query: { checksum: algorithm }, signal });
        if (signal.aborted) return;
        setChecksums((previous) => ({ ...previous, [algorithm]: resource.checksums?.[algorithm] }));
      }
    } catch (error) {
      if (!signal.aborted) toastFailure(filesText('failed.checksum'), error);
    } finally {
      if (!signal.aborted) setPending(null);
    }
  };
  return (
    <details
      className={styles.checksums}
      onToggle={({ currentTarget: { open } }) => {
        if (!open) cancel();
        else if (size <= maxUnrequestedBytes)
          void compute(computedOrder.filter((algorithm) => checksums[algorithm] === undefined));
      }}
    >
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
              <>
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={t('details.showChecksum', { algorithm: name })}
                  isPending={pending === algorithm}
                  onClick={() => void compute([algorithm])}
                >
                  {t('details.show')}
                </Button>
                {pending === algorithm && (
                  <Button variant="quiet" size="small" onClick={cancel}>
                    {t('cancel', { ns: 'common' })}
                  </Button>
                )}
              </>
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
