import { useId, type ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './switch.module.css';

export interface SwitchProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean | undefined;
  /** The label. If absent, set `aria-label`. */
  children?: ReactNode;
  description?: ReactNode;
  'aria-label'?: string | undefined;
  className?: string | undefined;
}

/** Switches a setting on or off at once; for a setting that is saved later use a `Checkbox`. */
export function Switch(props: SwitchProps) {
  const { isSelected, onChange, isDisabled, children, description, className } = props;
  const descriptionId = useId();
  return (
    <label className={classes(styles.row, className)} data-control="switch">
      {children !== undefined && (
        <span className={styles.texts}>
          <span>{children}</span>
          {description && (
            <span id={descriptionId} className={styles.description} aria-hidden="true">
              {description}
            </span>
          )}
        </span>
      )}
      <input
        type="checkbox"
        role="switch"
        className={styles.track}
        checked={isSelected}
        aria-checked={isSelected}
        disabled={isDisabled}
        aria-label={props['aria-label']}
        aria-describedby={description ? descriptionId : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}
