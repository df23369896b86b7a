import { useId, type ReactNode } from 'react';
import styles from './radio-group.module.css';

export interface RadioOption<Value extends string> {
  value: Value;
  label: ReactNode;
  description?: ReactNode;
  isDisabled?: boolean;
}

export interface RadioGroupProps<Value extends string> {
  label: string;
  isLabelHidden?: boolean | undefined;
  value: Value | null;
  onChange: (value: Value) => void;
  options: readonly RadioOption<Value>[];
}

/** A single choice from a few options that are all visible. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, isLabelHidden, value, onChange, options } = props;
  const id = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={isLabelHidden ? 'visually-hidden' : styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.row}>
          <input
            type="radio"
            name={id}
            className={styles.dot}
            value={option.value}
            checked={option.value === value}
            disabled={option.isDisabled}
            aria-describedby={option.description ? `${id}-${option.value}` : undefined}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.texts}>
            <span>{option.label}</span>
            {option.description && (
              <span id={`${id}-${option.value}`} className={styles.description} aria-hidden="true">
                {option.description}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
