import { deniedBySystem } from '@filestead/contract/errors';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { ApiError } from '../../api/call.ts';
import { Button } from '../../ui/buttons/button.tsx';
import type { IllustrationName } from '../../ui/feedback/illustration.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { RefreshCw } from '../../ui/icons.ts';
import styles from './error-screen.module.css';
import { usePageTitle } from '../routes/page-title.ts';

/** 0: no response. All other values are shown as 500 (docs/reference/behaviour.md §2). */
const statuses = [0, 403, 404, 500] as const;
/**
 * `waiting`: an administrator has to grant the account access to files first; `denied`: the server itself has no access to the
 * file on its disk; `link`: the path is a link that is broken or leads outside the scope.
 */
export type ErrorStatus = (typeof statuses)[number] | 'waiting' | 'denied' | 'link';

const drawings: Readonly<Record<ErrorStatus, IllustrationName>> = {
  0: 'offline',
  403: 'locked',
  404: 'missing',
  500: 'broken',
  waiting: 'locked',
  denied: 'locked',
  link: 'missing',
};
const titles = {
  0: 'titles.offline',
  403: 'titles.forbidden',
  404: 'titles.notFound',
  500: 'titles.internal',
  waiting: 'titles.forbidden',
  denied: 'titles.forbidden',
  link: 'titles.notFound',
} as const;

/** Returns the status of the error screen for a thrown value. Invalid paths count as not found. */
export function statusOfError(error: unknown): ErrorStatus {
  if (!(error instanceof ApiError)) return 500;
  if (error.code === 'invalid_path') return 404;
  if (error.code === 'scope_not_granted') return 'waiting';
  if (error.code === 'external_link') return 'link';
  if (error.detail === deniedBySystem) return 'denied';
  return statuses.find((status) => status === error.status) ?? 500;
}

export interface ErrorScreenProps {
  status: ErrorStatus;
  /** Tries again; absent if that cannot help. */
  onRetry?: (() => void) | undefined;
  /** The page is broken: only a reload helps. */
  needsReload?: boolean | undefined;
  /** Default: 1, for a page of its own. */
  headingLevel?: 1 | 2 | undefined;
}

/** An error screen: the problem, its consequences and the next step. */
export function ErrorScreen({ status, onRetry, needsReload = false, headingLevel = 1 }: ErrorScreenProps) {
  const { t } = useTranslation('app');
  usePageTitle(t(titles[status]));
  return (
    <div className={styles.screen}>
      <EmptyState
        illustration={drawings[status]}
        title={t(`errors.${status}.message`)}
        headingLevel={headingLevel}
        actions={
          <>
            {needsReload && (
              <Button icon={<RefreshCw />} onClick={() => window.location.reload()}>
                {t('errors.reload')}
              </Button>
            )}
            {onRetry && (
              <Button icon={<RefreshCw />} onClick={onRetry}>
                {t('errors.retry')}
              </Button>
            )}
            <Link className={styles.home} to="/files/" reloadDocument={needsReload}>
              {t('errors.goHome')}
            </Link>
          </>
        }
      >
        {t(`errors.${status}.hint`)}
      </EmptyState>
    </div>
  );
}

/** An error screen as a page of its own. */
export function ErrorPage(props: ErrorScreenProps) {
  return (
    <main className={styles.page}>
      <ErrorScreen {...props} />
    </main>
  );
}
