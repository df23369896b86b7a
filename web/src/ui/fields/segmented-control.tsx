import { useId, type ReactNode } from 'react';
import styles from './segmented-control.module.css';
import { Tooltip } from '../overlays/tooltip.tsx';

export interface SegmentedControlProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  /** With an icon, the label is its name and tooltip. */
  options: readonly { value: Value; label: string; icon?: ReactNode | undefined }[];
  /** Disables the choice, and is the tooltip of segments with an icon. */
  disabledReason?: string | undefined;
}

/** A single choice from two to four options in a bar, such as the view of a listing. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, onChange, options, disabledReason } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.bar}>
      {options.map((option) => {
        const segment = (
          <label key={option.value} className={styles.segment} data-icon={option.icon ? '' : undefined}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={option.value}
              aria-label={option.label}
              checked={option.value === value}
              disabled={disabledReason !== undefined}
              onChange={() => onChange(option.value)}
            />
            {option.icon ?? option.label}
          </label>
        );
        return option.icon ? (
          <Tooltip key={option.value} text={disabledReason ?? option.label} isDescription={false}>
            {segment}
          </Tooltip>
        ) : (
          segment
        );
      })}
    </div>
  );
}
