import { Fragment, useRef, type ComponentType, type ReactNode } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { useOverflowMark } from '../hooks/use-overflow-mark.ts';
import { ChevronDown, X } from '../icons.ts';
import styles from './selection-bar.module.css';

/** An action of the selected items. */
export interface SelectionAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ComponentType;
  readonly isDangerous?: boolean | undefined;
  /** Hidden where the bar is narrow, because the menu contains it. */
  readonly isOptional?: boolean | undefined;
  /** A number at the icon; it is not part of the name of the button. */
  readonly badge?: string | undefined;
  readonly run: () => void;
  /** Another form of the action, offered by an arrow beside it. */
  readonly other?: { readonly label: string; readonly run: () => void } | undefined;
}

interface SelectionBarProps {
  /** The name of the toolbar. */
  label: string;
  /** For example "3 selected". */
  text: string;
  clearLabel: string;
  onClear: () => void;
  actions: readonly SelectionAction[];
  /** After the actions that destroy nothing. */
  menu?: ReactNode;
}

/** Shows a selection with its actions, at the footer of the list. */
export function SelectionBar({ label, text, clearLabel, onClear, actions, menu }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useOverflowMark(bar);
  return (
    <div ref={bar} role="toolbar" aria-label={label} className={styles.bar}>
      <IconButton size="small" label={clearLabel} shortcut="Escape" icon={<X />} onClick={onClear} />
      <span className={styles.count}>{text}</span>
      <span className={styles.divider} />
      <div className={styles.actions}>
        {actions.filter(({ isDangerous }) => !isDangerous).map(actionButton)}
        {menu}
        {actions.filter(({ isDangerous }) => isDangerous).map(actionButton)}
      </div>
    </div>
  );
}

const actionButton = ({
  id,
  label,
  icon: Icon,
  isDangerous,
  isOptional,
  badge,
  run,
  other,
}: SelectionAction) => (
  <Fragment key={id}>
    <button
      type="button"
      className={styles.action}
      data-danger={isDangerous || undefined}
      data-optional={isOptional || undefined}
      title={label}
      onClick={run}
    >
      <Icon />
      <span className={styles.label}>{label}</span>
      {badge !== undefined && (
        <span className={styles.badge} aria-hidden="true">
          {badge}
        </span>
      )}
    </button>
    {other && (
      <IconButton
        size="small"
        className={styles.other}
        label={other.label}
        icon={<ChevronDown />}
        onClick={other.run}
      />
    )}
  </Fragment>
);
