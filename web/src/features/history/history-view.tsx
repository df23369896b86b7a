import type { Operation } from '@filestead/contract/endpoints/operations';
import { parentOf, virtualPath } from '@filestead/contract/paths/virtual-path';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { formatDateExact, formatDay, formatTime, isSameDay } from '../../i18n/format.ts';
import { placeText } from '../../i18n/path-text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { FolderFilter } from '../../ui/fields/folder-filter.tsx';
import { SegmentedControl } from '../../ui/fields/segmented-control.tsx';
import { useReloadOnReturn } from '../../ui/hooks/use-reload-on-return.ts';
import { History as HistoryIcon, Redo2, Undo2 } from '../../ui/icons.ts';
import type { HistoryHost } from './history-host.ts';
import type { HistoryFilter, HistoryModel } from './history-model.ts';
import { historyText, isRedo, operationText } from './history-texts.ts';
import styles from './history-view.module.css';
import { OperationIcon } from './operation-icon.tsx';

interface HistoryViewProps {
  model: HistoryModel;
  host: HistoryHost;
  filter: HistoryFilter;
  onFilter: (filter: HistoryFilter) => void;
}

/** Shows the operations, the latest first, grouped by day. */
export function HistoryView({ model, host, filter, onFilter }: HistoryViewProps) {
  const { t } = useTranslation('history');
  useSyncExternalStore(model.subscribe, model.getSnapshot);
  useReloadOnReturn(model);
  const { items, phase } = model;
  if (phase === 'loading' && items.length === 0)
    return (
      <p className={styles.loading} role="status">
        <Spinner /> {t('loading', { ns: 'common' })}
      </p>
    );
  return (
    <div className={styles.view}>
      {(host.isAdministrator || filter.below !== '') && (
        <div className={styles.filters}>
          {host.isAdministrator && (
            <SegmentedControl
              label={t('filters.label')}
              value={filter.isMine ? 'mine' : 'everyone'}
              onChange={(value) => onFilter({ ...filter, isMine: value === 'mine' })}
              options={[
                { value: 'everyone', label: t('filters.everyone') },
                { value: 'mine', label: t('filters.mine') },
              ]}
            />
          )}
          {filter.below !== '' && (
            <FolderFilter folder={filter.below} onClear={() => onFilter({ ...filter, below: '' })} />
          )}
        </div>
      )}
      {items.length === 0 ? (
        <EmptyState icon={<HistoryIcon />} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
      ) : (
        <>
          {daysOf(items).map(([day, operations]) => (
            <section key={day} className={styles.day} aria-label={day}>
              <h2 className={styles.heading}>{day}</h2>
              <ul className={styles.list}>
                {operations.map((operation) => (
                  <Row key={operation.id} operation={operation} model={model} host={host} />
                ))}
              </ul>
            </section>
          ))}
          {model.hasMore && (
            <div className={styles.more}>
              <Button onClick={() => void model.loadMore()}>{t('showMore')}</Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}

/** Returns the operations by the day on which they began, in their order. */
function daysOf(items: readonly Operation[]): [string, Operation[]][] {
  const days: [string, Operation[]][] = [];
  for (const item of items) {
    const day = dayText(Date.parse(item.startedAt));
    const last = days.at(-1);
    if (last?.[0] === day) last[1].push(item);
    else days.push([day, [item]]);
  }
  return days;
}

/** Returns the day of a time, as short as in listings. */
function dayText(atMs: number): string {
  return isSameDay(atMs, Date.now()) ? historyText('today') : formatDay(atMs);
}

interface RowProps {
  operation: Operation;
  model: HistoryModel;
  host: HistoryHost;
}

function Row({ operation, model, host }: RowProps) {
  const { t } = useTranslation('history');
  const [isPending, setPending] = useState(false);
  const { kind, state, startedAt, user, isOwn, canUndo, id } = operation;
  const path = virtualPath(operation.path);
  const atMs = Date.parse(startedAt);
  const text = operationText(operation);
  // A redo reverses an undo, and another undo reverses a redo.
  const redoes = kind === 'undo' && !isRedo(operation);
  const undo = async () => {
    setPending(true);
    if (await host.undo(id)) await model.reload();
    setPending(false);
  };
  return (
    <li className={styles.row} data-state={state} data-operation={id}>
      <span className={styles.icon} aria-hidden="true">
        <OperationIcon operation={operation} />
      </span>
      <div className={styles.text}>
        <span className={styles.title}>{text}</span>
        <span className={styles.meta}>
          <time dateTime={startedAt} title={formatDateExact(atMs)}>
            {formatTime(atMs)}
          </time>
          {' · '}
          <button type="button" className={styles.place} onClick={() => host.reveal(path)}>
            <span data-own-text="">{placeText(parentOf(path))}</span>
          </button>
          {host.isAdministrator && (
            <>
              {' · '}
              <bdi>{isOwn ? t('you') : (user ?? t('deletedAccount'))}</bdi>
            </>
          )}
        </span>
      </div>
      {state === 'undone' && <span className={styles.state}>{t('undone')}</span>}
      {state === 'running' && <span className={styles.state}>{t('running')}</span>}
      {state === 'done' && isOwn && !canUndo && <span className={styles.state}>{t('final')}</span>}
      {canUndo && (
        <Button
          size="small"
          icon={redoes ? <Redo2 /> : <Undo2 />}
          isPending={isPending}
          aria-label={t(redoes ? 'redoNamed' : 'undoNamed', { change: text })}
          onClick={() => void undo()}
        >
          {t(redoes ? 'redo' : 'undo')}
        </Button>
      )}
    </li>
  );
}
