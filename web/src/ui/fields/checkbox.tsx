import { useEffect, useId, useRef, type ReactNode } from 'react';
import styles from './checkbox.module.css';
import { classes } from '../classes.ts';

export interface CheckboxProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** Some, but not all, are selected. */
  isIndeterminate?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** The label. If absent, set `aria-label`. */
  children?: ReactNode;
  description?: ReactNode;
  'aria-label'?: string | undefined;
  tabIndex?: number | undefined;
  className?: string | undefined;
}

export function Checkbox(props: CheckboxProps) {
  const {
    isSelected,
    onChange,
    isIndeterminate = false,
    isDisabled,
    children,
    description,
    className,
  } = props;
  const input = useRef<HTMLInputElement>(null);
  const descriptionId = useId();
  useEffect(() => {
    if (input.current) input.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  return (
    <label className={classes(styles.row, className)}>
      <input
        ref={input}
        type="checkbox"
        className={styles.box}
        checked={isSelected}
        disabled={isDisabled}
        tabIndex={props.tabIndex}
        aria-label={props['aria-label']}
        aria-describedby={description ? descriptionId : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
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
    </label>
  );
}
