import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { useDelayedFlag } from '../../../ui/hooks/use-delayed-flag.ts';
import { toPreviewFailure, type PreviewFailure } from './preview-failure.ts';
import { TooLargeError } from './load-bytes.ts';
import styles from './loaded-document.module.css';
import type { Loaded } from '../../../ui/hooks/use-loaded.ts';

/** The properties of every document view. The address is requested with the session's cookie. */
export interface DocumentViewProps {
  url: string;
  name: string;
  /** The size of the file in bytes. */
  size: number;
  /**
   * Renders a replacement when the document cannot be shown. `message` is the reason; `failure` determines
   * which actions are offered.
   */
  renderProblem: (message: string, failure?: PreviewFailure) => ReactNode;
}

interface LoadedDocumentProps<T> extends Pick<DocumentViewProps, 'name' | 'renderProblem'> {
  loaded: Loaded<T>;
  children: (value: T) => ReactNode;
}

/** Renders a document once it is loaded; until then a spinner, or the reason why it failed. */
export function LoadedDocument<T>({ loaded, name, renderProblem, children }: LoadedDocumentProps<T>) {
  const { t } = useTranslation('previews');
  const isSlow = useDelayedFlag(loaded.kind === 'loading');
  if (loaded.kind === 'ready') return children(loaded.value);
  if (loaded.kind === 'failed') {
    if (loaded.error instanceof TooLargeError) return renderProblem(t('tooLarge'));
    const failure = toPreviewFailure(loaded.error);
    if (failure === 'damaged') return renderProblem(t('brokenDocument'));
    return renderProblem(t(failure === 'gone' ? 'gone' : 'notLoaded'), failure);
  }
  if (!isSlow) return null;
  return (
    <div className={styles.loading} role="status">
      <Spinner />
      <span className="visually-hidden">{t('loading', { name })}</span>
    </div>
  );
}
