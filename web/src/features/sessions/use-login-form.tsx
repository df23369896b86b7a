import { useRef, useState, type KeyboardEvent, type PointerEvent, type SyntheticEvent } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { CircleAlert } from '../../ui/icons.ts';
import type { CaptchaHandle } from './captcha-box.tsx';
import { toFieldError, type FieldError, type LoginField } from './login-failure.ts';
import styles from './login-page.module.css';
import { signIn, signUp } from './session-store.ts';

/** The content of the form. */
interface LoginValues {
  readonly username: string;
  readonly password: string;
  readonly confirmation: string;
  /** The response of the captcha; empty without one. */
  readonly captcha: string;
}

/** Returns the first error that can be found without the server. */
function findInputError(
  { username, password, confirmation, captcha }: LoginValues,
  isSigningUp: boolean,
  t: TFunction<'app'>,
): FieldError | null {
  if (username === '') return { field: 'username', text: t('login.enterUsername') };
  if (password === '') return { field: 'password', text: t('login.enterPassword') };
  if (isSigningUp && confirmation !== password) {
    return { field: 'confirmation', text: t('login.passwordsDiffer') };
  }
  if (pageConfig.ReCaptcha && captcha === '') return { field: 'password', text: t('login.wrongCredentials') };
  return null;
}

/** Watches whether caps lock is on, at every key and press in a field. */
function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const watch = (event: KeyboardEvent | PointerEvent) => setOn(event.getModifierState('CapsLock'));
  return { isOn, handlers: { onKeyDown: watch, onKeyUp: watch, onPointerDown: watch } };
}

/** The error of the form, and the fields that it is shown at. */
function useFieldError() {
  const [fieldError, setFieldError] = useState<FieldError | null>(null);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const confirmationInput = useRef<HTMLInputElement>(null);
  const showError = (next: FieldError) => {
    setFieldError(next);
    const inputs = { username: usernameInput, password: passwordInput, confirmation: confirmationInput };
    const input = next.field === 'captcha' ? null : inputs[next.field].current;
    input?.focus();
    input?.select();
  };
  const clearError = () => setFieldError(null);
  return { fieldError, showError, clearError, inputs: { usernameInput, passwordInput, confirmationInput } };
}

/** Returns the text below a field. Caps Lock is a frequent cause of a wrong password. */
function errorMessageOf({ field, text }: FieldError, hasCapsLock: boolean, t: TFunction<'app'>) {
  const isExplained = hasCapsLock && field !== 'username';
  return (
    <span className={styles.error}>
      <CircleAlert />
      <span>{isExplained ? `${text.replace(/\p{P}$/u, '')}. ${t('login.capsLock')}` : text}</span>
    </span>
  );
}

/** State of the form that signs in or up: values, errors, focus, and sending. */
export function useLoginForm(startsWithSignUp: boolean) {
  const { t } = useTranslation('app');
  const [isSigningUp, setSigningUp] = useState(startsWithSignUp && pageConfig.Signup);
  const [values, setValues] = useState<LoginValues>({
    username: '',
    password: '',
    confirmation: '',
    captcha: '',
  });
  const { fieldError, showError, clearError, inputs } = useFieldError();
  const [isPending, setPending] = useState(false);
  const capsLock = useCapsLock();
  const captchaBox = useRef<CaptchaHandle>(null);
  const change = (changed: Partial<LoginValues>) => setValues((before) => ({ ...before, ...changed }));

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending) return;
    const inputError = findInputError(values, isSigningUp, t);
    if (inputError) return showError(inputError);
    clearError();
    setPending(true);
    const { username, password, captcha: recaptcha } = values;
    let hasAccount = !isSigningUp;
    try {
      if (!hasAccount) await signUp({ username, password, recaptcha });
      hasAccount = true;
      await signIn({ username, password, recaptcha });
    } catch (error) {
      // The account has been created; only signing in is left.
      if (hasAccount) setSigningUp(false);
      showError(toFieldError(error, t));
      captchaBox.current?.reset();
    } finally {
      setPending(false);
    }
  };
  const switchMode = () => {
    setSigningUp(!isSigningUp);
    change({ confirmation: '' });
    clearError();
    inputs.usernameInput.current?.focus();
  };

  const field = (name: LoginField) => ({
    name,
    size: 'large' as const,
    hasReservedLine: true,
    ...capsLock.handlers,
    value: values[name],
    onChange: (next: string) => {
      change({ [name]: next });
      clearError();
    },
    errorMessage: fieldError?.field === name ? errorMessageOf(fieldError, capsLock.isOn, t) : undefined,
  });
  const isCaptchaMissing = values.captcha === '' && fieldError !== null;
  const captcha = {
    ref: captchaBox,
    onChange: (next: string) => change({ captcha: next }),
    errorMessage:
      fieldError?.field === 'captcha'
        ? fieldError.text
        : isCaptchaMissing
          ? t('login.captcha.missing')
          : undefined,
  };
  return {
    isSigningUp,
    isPending,
    hasCapsLock: capsLock.isOn,
    ...inputs,
    field,
    captcha,
    submit,
    switchMode,
  };
}
