import { useRef, type ComponentType } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { useOverflowMark } from '../hooks/use-overflow-mark.ts';
import { X } from '../icons.ts';
import styles from './selection-bar.module.css';

/** An action of the selected items. */
export interface SelectionAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ComponentType;
  readonly isDangerous?: boolean | undefined;
  /** A number at the icon; it is not part of the name of the button. */
  readonly badge?: string | undefined;
  readonly run: () => void;
}

interface SelectionBarProps {
  /** The name of the toolbar. */
  label: string;
  /** For example "3 selected". */
  text: string;
  clearLabel: string;
  onClear: () => void;
  actions: readonly SelectionAction[];
}

/** Shows a selection with its actions, at the footer of the list. */
export function SelectionBar({ label, text, clearLabel, onClear, actions }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useOverflowMark(bar);
  return (
    <div ref={bar} role="toolbar" aria-label={label} className={styles.bar}>
      <IconButton size="small" label={clearLabel} shortcut="Escape" icon={<X />} onClick={onClear} />
      <span className={styles.count}>{text}</span>
      <span className={styles.divider} />
      <div className={styles.actions}>
        {actions.map(({ id, label: name, icon: Icon, isDangerous, badge, run }) => (
          <button
            key={id}
            type="button"
            className={styles.action}
            data-danger={isDangerous || undefined}
            title={name}
            onClick={run}
          >
            <Icon />
            <span className={styles.label}>{name}</span>
            {badge !== undefined && (
              <span className={styles.badge} aria-hidden="true">
                {badge}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}
