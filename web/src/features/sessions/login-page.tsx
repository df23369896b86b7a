import { useRef, useState, type KeyboardEvent, type PointerEvent, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/call.ts';
import { pageConfig, productName } from '../../api/page-config.ts';
import { formatDuration } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './login-page.module.css';
import { signIn } from './session-store.ts';

/** What the form complains about, and where. */
interface Complaint {
  field: 'username' | 'password';
  text: string;
}

export function LoginPage() {
  const { t } = useTranslation('app');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [complaint, setComplaint] = useState<Complaint | null>(null);
  const [isPending, setPending] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const complain = (next: Complaint) => {
    setComplaint(next);
    const input = (next.field === 'username' ? usernameField : passwordField).current;
    input?.focus();
    input?.select();
  };

  const messageOf = (error: unknown): string => {
    const { code, retryAfterSeconds, status } =
      error instanceof ApiError ? error : { code: '', retryAfterSeconds: null, status: 500 };
    if (code === 'no_connection') return t('errors.0.message');
    if (code === 'too_many_requests') {
      return retryAfterSeconds === null
        ? t('login.tooManyAttempts')
        : t('login.tooManyAttemptsWait', { time: formatDuration(Math.max(1, retryAfterSeconds)) });
    }
    return status >= 500 ? t('errors.500.message') : t('login.wrongCredentials');
  };

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (username === '') return complain({ field: 'username', text: t('login.enterUsername') });
    if (password === '') return complain({ field: 'password', text: t('login.enterPassword') });
    setComplaint(null);
    setPending(true);
    try {
      await signIn({ username, password });
    } catch (error) {
      complain({ field: 'password', text: messageOf(error) });
    } finally {
      setPending(false);
    }
  };

  const watchCapsLock = (event: KeyboardEvent | PointerEvent) => {
    setCapsLock(event.getModifierState('CapsLock'));
  };
  const capsLockWatch = {
    onKeyDown: watchCapsLock,
    onKeyUp: watchCapsLock,
    onPointerDown: watchCapsLock,
  };

  return (
    <main className={styles.page}>
      <form className={styles.card} noValidate onSubmit={submit}>
        <div className={styles.brand}>
          <img src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={48} height={48} />
          <h1 className={styles.name}>
            <bdi>{productName}</bdi>
          </h1>
        </div>
        <TextField
          ref={usernameField}
          size="large"
          label={t('login.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          hasReservedLine
          {...capsLockWatch}
          value={username}
          onChange={(next) => {
            setUsername(next);
            setComplaint(null);
          }}
          errorMessage={complaint?.field === 'username' ? complaint.text : undefined}
        />
        <TextField
          ref={passwordField}
          size="large"
          type="password"
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          hasReservedLine
          {...capsLockWatch}
          value={password}
          onChange={(next) => {
            setPassword(next);
            setComplaint(null);
          }}
          description={hasCapsLock ? t('login.capsLock') : undefined}
          errorMessage={complaint?.field === 'password' ? complaint.text : undefined}
        />
        <Button type="submit" variant="primary" size="large" isFullWidth isPending={isPending}>
          {t('login.submit')}
        </Button>
      </form>
    </main>
  );
}
