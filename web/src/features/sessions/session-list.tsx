import { endSession, endSessions, listSessions, type Session } from '@filestead/contract/sessions';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { call, isApiError } from '../../api/call.ts';
import { formatDate, formatDateExact } from '../../i18n/format.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { programName } from './program-name.ts';
import styles from './session-list.module.css';

const sessionsQuery = queryOptions({
  queryKey: ['sessions', 'own'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
});

/** The list of the user's sessions, with buttons to end them. */
export function SessionList({ hasExactDates }: { hasExactDates: boolean }) {
  const { t } = useTranslation('sessions');
  const queries = useQueryClient();
  const query = useQuery(sessionsQuery);
  /** The session that is being ended: its id, or all others. */
  const [ending, setEnding] = useState<string | null>(null);
  const others = query.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;

  const end = async (target: string, act: () => Promise<unknown>, done: string) => {
    setEnding(target);
    try {
      await act();
      showToast({ tone: 'success', message: done });
    } catch (error) {
      // A session that has already ended is not a failure.
      if (!isApiError(error, 'not_found')) showToast({ tone: 'error', message: t('failed') });
    } finally {
      setEnding(null);
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    }
  };

  return (
    <Card
      title={t('title')}
      description={t('text')}
      footer={
        others > 0 && (
          <Button
            isPending={ending === 'others'}
            onClick={() => void end('others', () => call(endSessions), t('endedOthers'))}
          >
            {t('endOthers')}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(sessions) => (
          <ul className={styles.list} aria-label={t('title')}>
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                hasExactDates={hasExactDates}
                isEnding={ending === session.id}
                onEnd={() =>
                  void end(session.id, () => call(endSession, { params: { id: session.id } }), t('ended'))
                }
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

interface SessionRowProps {
  session: Session;
  hasExactDates: boolean;
  isEnding?: boolean;
  /** Absent if single sessions cannot be ended. */
  onEnd?: () => void;
}

/** One session. */
export function SessionRow({ session, hasExactDates, isEnding = false, onEnd }: SessionRowProps) {
  const { t } = useTranslation('sessions');
  const program = programName(session.userAgent, t);
  return (
    <li className={styles.row}>
      <div className={styles.texts}>
        <p className={styles.program}>
          <bdi>{program}</bdi>
          {session.isCurrent && <span className={styles.chip}>{t('current')}</span>}
        </p>
        <p className={styles.metadata}>
          <span>{t('from', { address: isolateBidi(session.address) })}</span>
          <time dateTime={new Date(session.lastUsed).toISOString()} title={formatDateExact(session.lastUsed)}>
            {t('lastUsed', { date: formatDate(session.lastUsed, { exact: hasExactDates }) })}
          </time>
        </p>
      </div>
      {onEnd && !session.isCurrent && (
        <Button
          size="small"
          aria-label={t('endOf', { program: isolateBidi(program) })}
          isPending={isEnding}
          onClick={onEnd}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
