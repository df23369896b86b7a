import { useId, useState, type ComponentPropsWithRef, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { classes } from '../classes.ts';
import { describedBy, Field, type FieldTexts } from './field.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { Eye, EyeOff } from '../icons.ts';
import styles from './text-field.module.css';

interface BaseProps extends FieldTexts {
  value: string;
  onChange: (value: string) => void;
  hasReservedLine?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

export interface TextFieldProps
  extends BaseProps, Omit<ComponentPropsWithRef<'input'>, keyof BaseProps | 'disabled' | 'size'> {
  /** 36 px or 40 px high. Default: medium. */
  size?: 'medium' | 'large' | undefined;
  /** The input has been checked and is correct. */
  isValid?: boolean | undefined;
  /** Inside the field, before the text. */
  icon?: ReactNode;
  /** Inside the field, after the text: a button, a key, a unit. */
  end?: ReactNode;
}

/** A single-line text field. A password field gets a button that shows the password. */
export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, description, errorMessage, hasReservedLine, onChange, isDisabled, ...more } =
    props;
  const { size = 'medium', icon, end, type = 'text', id: givenId, className, isValid, ...input } = more;
  const { t } = useTranslation('common');
  const ownId = useId();
  const id = givenId ?? ownId;
  const [isRevealed, setRevealed] = useState(false);
  const isPassword = type === 'password';
  // An empty field has the direction of the page, like its placeholder.
  const isFreeText = (type === 'text' || type === 'search') && input.value !== '';
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, hasReservedLine }}>
      <div
        className={classes(styles.box, className)}
        data-size={size}
        data-valid={isValid || undefined}
        data-invalid={Boolean(errorMessage) || undefined}
      >
        {icon}
        <input
          dir={isFreeText ? 'auto' : undefined}
          {...input}
          id={id}
          type={isPassword && isRevealed ? 'text' : type}
          className={styles.input}
          disabled={isDisabled}
          aria-invalid={Boolean(errorMessage) || undefined}
          aria-describedby={describedBy(id, { description, errorMessage })}
          onChange={(event) => onChange(event.target.value)}
        />
        {isPassword && (
          <IconButton
            size="small"
            className={styles.reveal}
            label={t(isRevealed ? 'hidePassword' : 'showPassword')}
            icon={isRevealed ? <EyeOff /> : <Eye />}
            isDisabled={isDisabled}
            onClick={() => setRevealed(!isRevealed)}
          />
        )}
        {end}
      </div>
    </Field>
  );
}

export interface TextAreaProps
  extends BaseProps, Omit<ComponentPropsWithRef<'textarea'>, keyof BaseProps | 'disabled'> {
  /** Monospaced, for paths, commands and rules. */
  isCode?: boolean | undefined;
}

/** A multi-line text field. */
export function TextArea(props: TextAreaProps) {
  const { label, isLabelHidden, description, errorMessage, hasReservedLine, onChange, isDisabled, ...more } =
    props;
  const { isCode, rows = 4, id: givenId, className, ...textarea } = more;
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, hasReservedLine }}>
      <div className={classes(styles.box, className)} data-invalid={Boolean(errorMessage) || undefined}>
        <textarea
          dir={isCode ? 'ltr' : 'auto'}
          spellCheck={!isCode}
          {...textarea}
          id={id}
          rows={rows}
          className={styles.area}
          data-code={isCode || undefined}
          disabled={isDisabled}
          aria-invalid={Boolean(errorMessage) || undefined}
          aria-describedby={describedBy(id, { description, errorMessage })}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </Field>
  );
}
