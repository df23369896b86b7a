import { minimumLengthIn } from '@filestead/contract/values/password-length';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { ApiError } from '../../api/call.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Card } from '../../ui/card.tsx';
import { CircleCheck } from '../../ui/icons.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { CardFooter } from './form/card-footer.tsx';
import { settingsFailureText } from './form/failure-text.ts';
import { strengthOf } from './password-strength.ts';
import type { SaveProfile } from './save-profile.ts';
import styles from './settings.module.css';

type Field = 'current' | 'password' | 'confirmation';

export interface PasswordCardProps {
  username: string;
  save: SaveProfile;
  /** Called with whether the fields contain text. */
  onDirtyChange: (isDirty: boolean) => void;
}

/** Changes the password, which is typed twice. Asks for the current one if the server requires it. */
export function PasswordCard({ username, save, onDirtyChange }: PasswordCardProps) {
  const { t } = useTranslation('settings');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [current, setCurrent] = useState('');
  const [isCurrentAsked, setCurrentAsked] = useState(false);
  const [fieldError, setFieldError] = useState<{ field: Field; text: string } | null>(null);
  const [failure, setFailure] = useState('');
  const [isPending, setPending] = useState(false);
  const [isDone, setDone] = useState(false);
  const fields = useRef<Partial<Record<Field, HTMLInputElement | null>>>({});
  const isDirty = password !== '' || confirmation !== '';
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);
  // The field that the server requires has just been rendered.
  useEffect(() => {
    if (isCurrentAsked) fields.current.current?.focus();
  }, [isCurrentAsked]);

  const isMatch = password !== '' && password === confirmation;
  const isMismatch = confirmation !== '' && password !== confirmation;
  const errorOf = (field: Field) => (fieldError?.field === field ? fieldError.text : undefined);
  const onInput = (set: (text: string) => void) => (text: string) => {
    set(text);
    setFieldError(null);
    setFailure('');
    setDone(false);
  };
  const showFieldError = (field: Field, text: string) => {
    setFieldError({ field, text });
    fields.current[field]?.focus();
  };

  const showFailure = (error: unknown) => {
    const { code, detail } = error instanceof ApiError ? error : { code: '', detail: '' };
    if (code === 'current_password_wrong') {
      setCurrentAsked(true);
      showFieldError('current', t(current === '' ? 'password.askCurrent' : 'password.wrongCurrent'));
    } else if (code === 'weak_password') {
      const minLength = minimumLengthIn(detail);
      const text =
        minLength === null
          ? t('password.weak')
          : t('password.tooShort', { count: minLength, number: formatNumber(minLength) });
      showFieldError('password', text);
    } else if (code === 'password_locked') setFailure(t('password.locked'));
    else setFailure(settingsFailureText(t, error));
  };

  const submit = async () => {
    if (isPending) return;
    // Nothing is sent unless both are filled in and equal (docs/reference/behaviour.md §5).
    if (password === '') return showFieldError('password', t('password.empty'));
    if (password !== confirmation) return showFieldError('confirmation', t('password.mismatch'));
    if (isCurrentAsked && current === '') return showFieldError('current', t('password.askCurrent'));
    setPending(true);
    try {
      await save({ password }, isCurrentAsked ? current : undefined);
      setPassword('');
      setConfirmation('');
      setCurrent('');
      setCurrentAsked(false);
      setFailure('');
      setDone(true);
      showToast({ tone: 'success', message: t('password.updated') });
    } catch (error) {
      showFailure(error);
    } finally {
      setPending(false);
    }
  };

  const matchNotice = isMatch ? (
    <span className={styles.match} data-good="">
      <CircleCheck />
      {t('password.match')}
    </span>
  ) : undefined;
  return (
    <Card
      title={t('password.title')}
      description={t('password.text')}
      onSubmit={() => void submit()}
      footer={<CardFooter isPending={isPending} isDone={isDone} failure={failure} />}
    >
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {isCurrentAsked && (
        <TextField
          ref={(input) => {
            fields.current.current = input;
          }}
          type="password"
          label={t('password.current')}
          autoComplete="current-password"
          value={current}
          onChange={onInput(setCurrent)}
          errorMessage={errorOf('current')}
        />
      )}
      <TextField
        ref={(input) => {
          fields.current.password = input;
        }}
        type="password"
        label={t('password.new')}
        autoComplete="new-password"
        value={password}
        onChange={onInput(setPassword)}
        description={password === '' ? undefined : t(`password.strength.${strengthOf(password)}`)}
        isValid={isMatch}
        errorMessage={errorOf('password')}
      />
      <TextField
        ref={(input) => {
          fields.current.confirmation = input;
        }}
        type="password"
        label={t('password.confirm')}
        isValid={isMatch}
        autoComplete="new-password"
        value={confirmation}
        onChange={onInput(setConfirmation)}
        description={matchNotice}
        errorMessage={errorOf('confirmation') ?? (isMismatch ? t('password.mismatch') : undefined)}
      />
    </Card>
  );
}
