import type { ReactNode } from 'react';
import styles from './field.module.css';

export interface FieldTexts {
  label: string;
  /** The label is visually hidden but still announced. */
  isLabelHidden?: boolean | undefined;
  description?: ReactNode;
  /** The problem and its solution; marks the field as invalid. */
  errorMessage?: ReactNode;
}

interface FieldProps extends FieldTexts {
  id: string;
  /** Reserves the line below, so that an error message does not move the layout. */
  hasReservedLine?: boolean | undefined;
  children: ReactNode;
}

export const descriptionId = (id: string) => `${id}-description`;
export const errorId = (id: string) => `${id}-error`;

/** Returns the `aria-describedby` of a control within a `Field`. */
export function describedBy(
  id: string,
  { description, errorMessage }: Omit<FieldTexts, 'label'>,
): string | undefined {
  const ids = [errorMessage ? errorId(id) : '', description ? descriptionId(id) : ''].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}

/** Label, control, help and error in one column. */
export function Field({
  id,
  label,
  isLabelHidden,
  description,
  errorMessage,
  hasReservedLine,
  children,
}: FieldProps) {
  return (
    <div className={styles.field} data-control="field" data-reserved={hasReservedLine || undefined}>
      <label htmlFor={id} data-part="label" className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children}
      {description && !errorMessage && (
        <p id={descriptionId(id)} data-part="description" className={styles.description}>
          {description}
        </p>
      )}
      <div id={errorId(id)} role="alert" data-part="error" className={styles.error}>
        {errorMessage}
      </div>
    </div>
  );
}
