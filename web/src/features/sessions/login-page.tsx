import {
  lazy,
  Suspense,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type SyntheticEvent,
} from 'react';
import { useTranslation } from 'react-i18next';
import { pageConfig, productName } from '../../api/page-config.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import type { CaptchaHandle } from './captcha-box.tsx';
import { toFieldError, type FieldError, type LoginField } from './login-failure.ts';
import styles from './login-page.module.css';
import { signIn, signUp } from './session-store.ts';

const CaptchaBox = lazy(async () => ({ default: (await import('./captcha-box.tsx')).CaptchaBox }));

/** Why a user who was signed in sees the login page. */
export type LogoutReason = 'inactivity' | 'ended';

interface LoginPageProps {
  reason?: LogoutReason | null | undefined;
  /** Starts with signing up, if that is enabled. */
  startsWithSignUp?: boolean | undefined;
}

/** The login page, with signing up if the administrator allows it. */
export function LoginPage({ reason = null, startsWithSignUp = false }: LoginPageProps) {
  const { t } = useTranslation('app');
  const [isSigningUp, setSigningUp] = useState(startsWithSignUp && pageConfig.Signup);
  const [values, setValues] = useState({ username: '', password: '', confirmation: '' });
  const [captcha, setCaptcha] = useState('');
  const [fieldError, setComplaint] = useState<FieldError | null>(null);
  const [isPending, setPending] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const confirmationInput = useRef<HTMLInputElement>(null);
  const captchaBox = useRef<CaptchaHandle>(null);

  const complain = (next: FieldError) => {
    setComplaint(next);
    const inputs = { username: usernameInput, password: passwordInput, confirmation: confirmationInput };
    const input = next.field === 'captcha' ? null : inputs[next.field].current;
    input?.focus();
    input?.select();
  };
  /** Validates the form before it is sent. */
  const findMistake = (): FieldError | null => {
    const { username, password, confirmation } = values;
    if (username === '') return { field: 'username', text: t('login.enterUsername') };
    if (password === '') return { field: 'password', text: t('login.enterPassword') };
    if (isSigningUp && confirmation !== password) {
      return { field: 'confirmation', text: t('login.passwordsDiffer') };
    }
    if (pageConfig.ReCaptcha && captcha === '')
      return { field: 'password', text: t('login.wrongCredentials') };
    return null;
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending) return;
    const mistake = findMistake();
    if (mistake) return complain(mistake);
    setComplaint(null);
    setPending(true);
    const { username, password } = values;
    let hasAccount = !isSigningUp;
    try {
      if (!hasAccount) await signUp({ username, password, recaptcha: captcha });
      hasAccount = true;
      await signIn({ username, password, recaptcha: captcha });
    } catch (error) {
      // The account has been created; only signing in is left.
      if (hasAccount) setSigningUp(false);
      complain(toFieldError(error, t));
      captchaBox.current?.reset();
    } finally {
      setPending(false);
    }
  };
  const switchMode = () => {
    setSigningUp(!isSigningUp);
    setValues({ ...values, confirmation: '' });
    setComplaint(null);
    usernameInput.current?.focus();
  };

  const watchCapsLock = (event: KeyboardEvent | PointerEvent) => {
    setCapsLock(event.getModifierState('CapsLock'));
  };
  const field = (name: LoginField) => ({
    name,
    size: 'large' as const,
    hasReservedLine: true,
    onKeyDown: watchCapsLock,
    onKeyUp: watchCapsLock,
    onPointerDown: watchCapsLock,
    value: values[name],
    onChange: (next: string) => {
      setValues((before) => ({ ...before, [name]: next }));
      setComplaint(null);
    },
    errorMessage: fieldError?.field === name ? errorOf(name, fieldError.text) : undefined,
  });
  /** A wrong password is often a right one typed with Caps Lock. */
  const errorOf = (name: LoginField, text: string) =>
    hasCapsLock && name !== 'username' ? (
      <>
        {text} <span className={styles.capsLock}>{t('login.capsLock')}</span>
      </>
    ) : (
      text
    );
  const isMissingCaptcha = pageConfig.ReCaptcha && captcha === '' && fieldError !== null;

  return (
    <main className={styles.page}>
      <form
        className={styles.card}
        noValidate
        onSubmit={submit}
        data-wide={pageConfig.ReCaptcha || undefined}
      >
        <div className={styles.brand}>
          <img src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={48} height={48} />
          <h1 className={styles.name}>
            <bdi>{productName}</bdi>
          </h1>
        </div>
        {reason && (
          <p className={styles.reason} role="status">
            {t(`login.reasons.${reason}`)}
          </p>
        )}
        <TextField
          {...field('username')}
          ref={usernameInput}
          label={t('login.username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
        />
        <TextField
          {...field('password')}
          // Password managers classify a field once, so a different purpose needs a new field.
          key={String(isSigningUp)}
          ref={passwordInput}
          type="password"
          label={t('login.password')}
          autoComplete={isSigningUp ? 'new-password' : 'current-password'}
          description={hasCapsLock ? t('login.capsLock') : undefined}
        />
        {isSigningUp && (
          <TextField
            {...field('confirmation')}
            ref={confirmationInput}
            type="password"
            label={t('login.confirmation')}
            autoComplete="new-password"
          />
        )}
        {pageConfig.ReCaptcha && (
          <Suspense fallback={<div className={styles.captchaPlace} />}>
            <CaptchaBox
              ref={captchaBox}
              onChange={setCaptcha}
              errorMessage={
                fieldError?.field === 'captcha'
                  ? fieldError.text
                  : isMissingCaptcha
                    ? t('login.captcha.missing')
                    : undefined
              }
            />
          </Suspense>
        )}
        <Button type="submit" variant="primary" size="large" isFullWidth isPending={isPending}>
          {isSigningUp ? t('login.signup') : t('login.submit')}
        </Button>
        {pageConfig.Signup && (
          <Button variant="quiet" isFullWidth isDisabled={isPending} onClick={switchMode}>
            {isSigningUp ? t('login.toLogin') : t('login.toSignup')}
          </Button>
        )}
      </form>
    </main>
  );
}
