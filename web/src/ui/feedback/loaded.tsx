import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../buttons/button.tsx';
import { EmptyState } from './empty-state.tsx';
import { RefreshCw } from '../icons.ts';
import styles from './loaded.module.css';
import { Skeleton } from './skeleton.tsx';
import { useDelayedFlag } from '../hooks/use-delayed-flag.ts';

export interface LoadedProps<Value> {
  /** The query with its cached result. */
  query: { data: Value | undefined; error: unknown; refetch: () => unknown };
  /** Replaces the default error message; null shows the default. */
  renderFailure?: ((error: unknown) => ReactNode) | undefined;
  children: (value: Value) => ReactNode;
}

/** Shows a value once it is loaded: a placeholder before that, and an error message with a retry after a failure. */
export function Loaded<Value>({ query, renderFailure, children }: LoadedProps<Value>) {
  const { t } = useTranslation('common');
  const { data, error } = query;
  const isSkeletonShown = useDelayedFlag(data === undefined && !error);
  if (data !== undefined) return children(data);
  if (error) {
    return (
      renderFailure?.(error) ?? (
        <EmptyState
          illustration="offline"
          title={t('partNotLoaded')}
          actions={
            <Button icon={<RefreshCw />} onClick={() => void query.refetch()}>
              {t('retry')}
            </Button>
          }
        />
      )
    );
  }
  return (
    <div className={styles.loading} aria-busy="true">
      <span className="visually-hidden">{t('loading')}</span>
      {isSkeletonShown && [40, 72, 56, 64].map((width) => <Skeleton key={width} width={`${width}%`} />)}
    </div>
  );
}
