import { useRef } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { X } from '../../../ui/icons.ts';
import { useIsPhone } from '../../../ui/hooks/use-media-query.ts';
import { useOverflowMark } from '../../../ui/hooks/use-overflow-mark.ts';
import type { ActionContext } from '../actions/action.ts';
import { actionsAt, type FileAction, type FolderCommands } from '../actions/actions.ts';
import styles from './selection-bar.module.css';

/** Maximum number of actions on phones; the others are in the menu of the top bar. */
const maxOnPhone = 4;
const phonePriority = ['download', 'share', 'move', 'remove', 'copy', 'rename'];

/** Returns the actions of the bar in order. */
function offeredActions(context: ActionContext, isPhone: boolean): readonly FileAction[] {
  const actions = actionsAt('selection', context);
  if (!isPhone) return actions;
  const offered = phonePriority.filter((id) => actions.some((action) => action.id === id));
  const shown = new Set(offered.slice(0, maxOnPhone));
  return actions.filter(({ id }) => shown.has(id));
}

interface SelectionBarProps {
  context: ActionContext;
  /** The total size of the selected files. */
  bytes: number;
  commands: FolderCommands;
}

/** Shows the selection with its actions, at the bottom edge of the listing. */
export function SelectionBar({ context, bytes, commands }: SelectionBarProps) {
  const { t } = useTranslation('files');
  const bar = useRef<HTMLDivElement>(null);
  useOverflowMark(bar);
  const isPhone = useIsPhone();
  const { count } = context;
  if (count === 0) return null;
  return (
    <div ref={bar} role="toolbar" aria-label={t('selectionLabel')} className={styles.bar}>
      <span className={styles.count}>
        {bytes > 0
          ? t('selectedWithSize', { ...pluralValues(count), size: formatSize(bytes) })
          : t('selected', pluralValues(count))}
      </span>
      <IconButton
        size="small"
        label={t('clearSelection')}
        shortcut="Escape"
        icon={<X />}
        onClick={commands.clearSelection}
      />
      <span className={styles.divider} />
      <div className={styles.actions}>
        {offeredActions(context, isPhone).map(({ id, icon: Icon, isDangerous }) => (
          <button
            key={id}
            type="button"
            className={styles.action}
            data-danger={isDangerous || undefined}
            title={t(`actions.${id}`)}
            onClick={commands[id]}
          >
            <Icon />
            <span className={styles.label}>{t(`actions.${id}`)}</span>
            {id === 'download' && (
              <span className={styles.badge} aria-hidden="true">
                {pluralValues(count).number}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}
