import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig, productName } from '../../api/page-config.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import styles from './login-page.module.css';
import { useLoginForm } from './use-login-form.tsx';

const CaptchaBox = lazy(async () => ({ default: (await import('./captcha-box.tsx')).CaptchaBox }));

const LoginHouse = lazy(async () => ({ default: (await import('./login-house.tsx')).LoginHouse }));

/** The reason why a user who was signed in sees the login page. */
export type LogoutReason = 'inactivity' | 'ended';

interface LoginPageProps {
  reason?: LogoutReason | null | undefined;
  /** Starts with signing up, if that is enabled. */
  startsWithSignUp?: boolean | undefined;
}

/** Logo and name of this server. */
function Brand({ isSigningUp }: { isSigningUp: boolean }) {
  const { t } = useTranslation('app');
  return (
    <div className={styles.brand}>
      <img src={`${pageConfig.StaticURL}/img/logo.svg`} alt="" width={44} height={44} />
      <h1 className={styles.name}>
        <bdi>{productName}</bdi>
      </h1>
      <p className={styles.intro}>{t(isSigningUp ? 'login.introSignup' : 'login.intro')}</p>
    </div>
  );
}

/** The login page, with signing up if the administrator allows it. */
export function LoginPage({ reason = null, startsWithSignUp = false }: LoginPageProps) {
  const { t } = useTranslation('app');
  const form = useLoginForm(startsWithSignUp);
  const hasPicture = useMediaQuery('(width >= 1000px)');
  const { isSigningUp, isPending, hasCapsLock, field, captcha, submit, switchMode } = form;
  const { usernameInput, passwordInput, confirmationInput } = form;

  return (
    <div className={styles.page}>
      {hasPicture && (
        <div className={styles.picture}>
          <Suspense fallback={null}>
            <LoginHouse />
          </Suspense>
        </div>
      )}
      <main className={styles.main}>
        <form
          className={styles.form}
          noValidate
          onSubmit={submit}
          data-wide={pageConfig.ReCaptcha || undefined}
        >
          <Brand isSigningUp={isSigningUp} />
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
              <CaptchaBox {...captcha} />
            </Suspense>
          )}
          <Button type="submit" variant="primary" size="large" isFullWidth isPending={isPending}>
            {isSigningUp ? t('login.signup') : t('login.submit')}
          </Button>
          {pageConfig.Signup && (
            <p className={styles.other}>
              {t(isSigningUp ? 'login.hasAccount' : 'login.noAccount')}{' '}
              <button type="button" className={styles.switch} disabled={isPending} onClick={switchMode}>
                {isSigningUp ? t('login.submit') : t('login.signup')}
              </button>
            </p>
          )}
        </form>
      </main>
    </div>
  );
}
