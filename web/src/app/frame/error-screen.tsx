import { deniedBySystem } from '@filestead/contract/errors';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { ApiError } from '../../api/call.ts';
import { buttonLook } from '../../ui/buttons/button-look.ts';
import { Button } from '../../ui/buttons/button.tsx';
import type { IllustrationName } from '../../ui/feedback/illustration.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { RefreshCw } from '../../ui/icons.ts';
import styles from './error-screen.module.css';
import { usePageTitle } from '../routes/page-title.ts';
import { useServerReturn } from '../routes/use-server-return.ts';

/** 0: no response. All other values are shown as 500 (docs/reference/behaviour.md §2). */
const statuses = [0, 403, 404, 500] as const;
/**
 * `waiting`: an administrator has to grant the account access to files first; `denied`: the server itself has no access to the
 * file on its disk; `link`: the path is a link that is broken or leads outside the scope.
 */
export type ErrorStatus = (typeof statuses)[number] | 'waiting' | 'denied' | 'link';

/** The drawing and the title of the page; by default those of a missing permission. */
const appearances: Partial<Record<ErrorStatus, readonly [IllustrationName, PageTitle]>> = {
  0: ['offline', 'offline'],
  404: ['missing', 'notFound'],
  500: ['broken', 'internal'],
  link: ['missing', 'notFound'],
};
type PageTitle = 'offline' | 'notFound' | 'internal' | 'forbidden';

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
export function ErrorScreen({ status, onRetry, needsReload, headingLevel = 1 }: ErrorScreenProps) {
  const { t } = useTranslation('app');
  const [drawing, title] = appearances[status] ?? ['locked', 'forbidden'];
  usePageTitle(t(`titles.${title}`));
  const again = needsReload ? () => window.location.reload() : onRetry;
  useServerReturn(status === 0 ? onRetry : undefined);
  return (
    <div className={styles.screen}>
      <EmptyState
        illustration={drawing}
        title={t(`errors.${status}.message`)}
        headingLevel={headingLevel}
        actions={
          <>
            {again && (
              <Button icon={<RefreshCw />} onClick={again}>
                {t(needsReload ? 'errors.reload' : 'errors.retry')}
              </Button>
            )}
            <Link {...buttonLook()} to="/files/" reloadDocument={needsReload}>
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
