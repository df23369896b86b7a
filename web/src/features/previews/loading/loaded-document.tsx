import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { toPreviewFailure, type PreviewFailure } from './preview-failure.ts';
import { TooLargeError } from './load-bytes.ts';
import styles from './loaded-document.module.css';
import type { Loaded } from './use-loaded.ts';

/** What every view of a document needs. The address is asked with the session's cookie. */
export interface DocumentViewProps {
  url: string;
  name: string;
  /** Bytes. */
  size: number;
  /** What stands in its place when it cannot be shown; the message says why, and `breakage` what may help. */
  renderProblem: (message: string, breakage?: PreviewFailure) => ReactNode;
}

interface LoadedDocumentProps<T> extends Pick<DocumentViewProps, 'name' | 'renderProblem'> {
  loaded: Loaded<T>;
  children: (value: T) => ReactNode;
}

/** A document once it is there; until then a sign that it is coming, or the reason why it does not. */
export function LoadedDocument<T>({ loaded, name, renderProblem, children }: LoadedDocumentProps<T>) {
  const { t } = useTranslation('previews');
  const isSlow = useDelayedFlag(loaded.kind === 'loading');
  if (loaded.kind === 'ready') return children(loaded.value);
  if (loaded.kind === 'failed') {
    if (loaded.error instanceof TooLargeError) return renderProblem(t('tooLarge'));
    const breakage = toPreviewFailure(loaded.error);
    if (breakage === 'damaged') return renderProblem(t('brokenDocument'));
    return renderProblem(t(breakage === 'gone' ? 'gone' : 'notLoaded'), breakage);
  }
  if (!isSlow) return null;
  return (
    <div className={styles.loading} role="status">
      <Spinner />
      <span className="visually-hidden">{t('loading', { name })}</span>
    </div>
  );
}
