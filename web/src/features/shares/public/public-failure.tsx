import { useTranslation } from '../../../i18n/use-translation.ts';
import { ApiError } from '../../../api/call.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import type { IllustrationName } from '../../../ui/feedback/illustration.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { RefreshCw } from '../../../ui/icons.ts';
import styles from './public-failure.module.css';

type Kind = 'offline' | 'forbidden' | 'notFound' | 'tooMany' | 'other';

const drawings: Readonly<Record<Kind, IllustrationName>> = {
  offline: 'offline',
  forbidden: 'locked',
  notFound: 'missing',
  tooMany: 'locked',
  other: 'broken',
};

function kindOf(error: unknown): Kind {
  if (!(error instanceof ApiError)) return 'other';
  switch (error.status) {
    case 0:
      return 'offline';
    case 403:
      return 'forbidden';
    // An invalid path counts as not found.
    case 400:
    case 404:
    case 409:
      return 'notFound';
    case 429:
      return 'tooMany';
    default:
      return 'other';
  }
}

/** The error page of a share: the problem, the person to ask, and the status code (docs/reference/behaviour.md §2). */
export function PublicFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('shares');
  const kind = kindOf(error);
  const status = error instanceof ApiError ? error.status : 0;
  const isTemporary = kind !== 'forbidden' && kind !== 'notFound';
  return (
    <div className={styles.failure}>
      <EmptyState
        illustration={drawings[kind]}
        headingLevel={1}
        title={t(`public.failed.${kind}.title`)}
        actions={
          isTemporary && (
            <Button icon={<RefreshCw />} onClick={onRetry}>
              {t('retry', { ns: 'common' })}
            </Button>
          )
        }
      >
        <p>{t(`public.failed.${kind}.hint`)}</p>
        {status > 0 && (
          <p className={styles.code}>{t('public.failed.code', { code: formatNumber(status) })}</p>
        )}
      </EmptyState>
    </div>
  );
}
