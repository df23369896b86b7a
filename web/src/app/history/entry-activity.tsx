import { listOperations, type Operation } from '@filestead/contract/endpoints/operations';
import { parentOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { onFilesChange } from '../../features/files/entries/changes.ts';
import { operationText } from '../../features/history/history-texts.ts';
import { OperationIcon } from '../../features/history/operation-icon.tsx';
import { formatDate, formatDateExact } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Link } from '../../ui/navigation/router.tsx';
import { historyAddress } from '../routes/file-address.ts';
import styles from './entry-activity.module.css';

/** The number of operations that are listed; the history has all of them. */
const maxOperations = 3;
/** The delay before the operations are requested, in ms, so that keys that move the selection cause no request each. */
const requestAfterMs = 250;

interface EntryActivityProps {
  path: VirtualPath;
  isFolder: boolean;
}

/** The last operations that changed an entry, or something in a folder; nothing while there are none. */
export function EntryActivity({ path, isFolder }: EntryActivityProps) {
  const { t } = useTranslation(['history', 'jobs']);
  const operations = useOperations(path, isFolder);
  if (operations.length === 0) return null;
  return (
    <section className={styles.part} aria-label={t('jobs:tray.label')}>
      <div className={styles.head}>
        <h3>{t('jobs:tray.label')}</h3>
        <Link to={historyAddress(isFolder ? path : parentOf(path))}>{t('title')}</Link>
      </div>
      <ol>
        {operations.map((operation) => (
          <Line key={operation.id} operation={operation} />
        ))}
      </ol>
    </section>
  );
}

function Line({ operation }: { operation: Operation }) {
  const { t } = useTranslation('history');
  const { startedAt, isOwn, user, state } = operation;
  const atMs = Date.parse(startedAt);
  return (
    <li>
      <span className={styles.icon} aria-hidden="true">
        <OperationIcon operation={operation} />
      </span>
      <span className={styles.texts}>
        <span>{operationText(operation)}</span>
        <span className={styles.note}>
          <time dateTime={startedAt} title={formatDateExact(atMs)}>
            {formatDate(atMs)}
          </time>
          {' · '}
          <bdi>{isOwn ? t('you') : (user ?? t('deletedAccount'))}</bdi>
          {state === 'undone' && ` · ${t('undone')}`}
        </span>
      </span>
    </li>
  );
}

/** Returns the last operations; none while they are unknown. They are loaded again when files change. */
function useOperations(path: VirtualPath, isFolder: boolean): readonly Operation[] {
  const [operations, setOperations] = useState<readonly Operation[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const load = async (): Promise<void> => {
      const query = { ...(isFolder ? { below: path } : { of: path }), limit: String(maxOperations) };
      const { items } = await call(listOperations, { query, signal });
      if (!signal.aborted) setOperations(items);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const loadLater = (): void => {
      clearTimeout(timer);
      // Without a connection the operations that are shown stay.
      timer = setTimeout(() => void load().catch(() => undefined), requestAfterMs);
    };
    loadLater();
    const stop = onFilesChange(loadLater);
    return () => {
      controller.abort();
      clearTimeout(timer);
      stop();
    };
  }, [path, isFolder]);
  return operations;
}
