import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import type { ApiError } from '../../../api/call.ts';
import { formatDuration } from '../../../i18n/format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Lock } from '../../../ui/icons.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import styles from './public-password.module.css';

interface PublicPasswordProps {
  /** The error of the last attempt; null before the first one. */
  refusal: ApiError | null;
  isPending: boolean;
  onSubmit: (password: string) => void;
}

/** Asks for the password of a protected share. */
export function PublicPassword({ refusal, isPending, onSubmit }: PublicPasswordProps) {
  const { t } = useTranslation('shares');
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Selected, so that typing replaces it.
    if (refusal) field.current?.select();
  }, [refusal]);
  return (
    <form
      className={styles.card}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (password.trim() === '' || isPending) field.current?.focus();
        else onSubmit(password);
      }}
    >
      <Lock className={styles.lock} />
      <h1 className={styles.title}>{t('public.password.title')}</h1>
      <p className={styles.text}>{t('public.password.text')}</p>
      <TextField
        ref={field}
        label={t('public.password.field')}
        type="password"
        size="large"
        value={password}
        autoFocus
        autoComplete="off"
        hasReservedLine
        errorMessage={refusal && <Refusal refusal={refusal} />}
        onChange={setPassword}
      />
      <Button variant="primary" size="large" type="submit" isFullWidth isPending={isPending}>
        {t('public.password.submit')}
      </Button>
    </form>
  );
}

function Refusal({ refusal: { code, retryAfterSeconds } }: { refusal: ApiError }) {
  const { t } = useTranslation('shares');
  if (code === 'password_required') return t('public.password.wrong');
  if (code === 'no_connection') return t('reasons.no_connection');
  if (retryAfterSeconds === null) return t('reasons.too_many_requests');
  return t('public.password.wait', { time: formatDuration(retryAfterSeconds) });
}
