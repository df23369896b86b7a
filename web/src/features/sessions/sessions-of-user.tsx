import { endSessions, listSessions } from '@filestead/contract/sessions';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { call } from '../../api/call.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { SessionRow } from './session-list.tsx';
import styles from './session-list.module.css';

const sessionsOf = (user: string) =>
  queryOptions({
    queryKey: ['sessions', user],
    queryFn: ({ signal }) => call(listSessions, { query: { user }, signal }),
  });

export interface SessionsOfUserProps {
  id: number;
  username: string;
  hasExactDates: boolean;
}

/** The sessions of another user, for administrators, who can end all of them at once. */
export function SessionsOfUser({ id, username, hasExactDates }: SessionsOfUserProps) {
  const { t } = useTranslation('sessions');
  const queries = useQueryClient();
  const user = String(id);
  const query = useQuery(sessionsOf(user));
  const [isEnding, setEnding] = useState(false);
  const name = isolateBidi(username);

  const endAll = async () => {
    setEnding(true);
    try {
      await call(endSessions, { query: { user } });
      showToast({ tone: 'success', message: t('ofUser.ended', { name }) });
    } catch {
      showToast({ tone: 'error', message: t('failed') });
    } finally {
      setEnding(false);
      void queries.invalidateQueries({ queryKey: sessionsOf(user).queryKey });
    }
  };

  return (
    <Card
      title={t('ofUser.title', { name })}
      footer={
        (query.data?.length ?? 0) > 0 && (
          <Button isPending={isEnding} onClick={() => void endAll()}>
            {t('ofUser.endAll')}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className={styles.none}>{t('ofUser.none')}</p>
          ) : (
            <ul className={styles.list} aria-label={t('ofUser.title', { name })}>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} hasExactDates={hasExactDates} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
