import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import styles from './task-tray.module.css';
import { useTasks, type Task } from './tasks.ts';
import { counted } from './toasts.ts';

/** Actions that take longer than a second: how far they are, and a way to stop them. */
export function TaskTray() {
  const { t } = useTranslation('files');
  const { tasks } = useTasks();
  if (tasks.length === 0) return null;
  return (
    <section className={styles.tray} aria-label={t('tasks.label')}>
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} />
      ))}
    </section>
  );
}

function TaskRow({ task: { kind, total, finished, isStopping, stop } }: { task: Task }) {
  const { t } = useTranslation('files');
  const label = t(`tasks.${kind}`, counted(total));
  const progress = t('tasks.progress', { done: formatNumber(finished), total: formatNumber(total) });
  return (
    <div className={styles.task}>
      <div className={styles.texts}>
        <span className={styles.label}>{label}</span>
        <span className={styles.progress}>{isStopping ? t('tasks.stopping') : progress}</span>
      </div>
      <Button size="small" variant="quiet" isDisabled={isStopping} onClick={stop}>
        {t('tasks.cancel')}
      </Button>
      <ProgressBar
        className={styles.bar}
        label={label}
        value={total > 1 ? finished / total : 'indeterminate'}
        valueText={total > 1 ? progress : undefined}
      />
    </div>
  );
}
