import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { pageConfig } from '../../api/page-config.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { CaptchaBox, type CaptchaHandle } from './captcha-box.tsx';
import { toFieldError } from './login-failure.ts';
import { signIn } from './session-store.ts';
import styles from './sign-in-again.module.css';

/** A dialog above a page with unsaved changes whose session has ended: signing in again loses nothing. */
export function SignInAgain({ username, isOpen, onClose }: SignInAgainProps) {
  const { t } = useTranslation('app');
  const [password, setPassword] = useState('');
  const [captcha, setCaptcha] = useState('');
  const [message, setMessage] = useState<string | undefined>();
  const [isPending, setPending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const captchaBox = useRef<CaptchaHandle>(null);
  const submit = async (secret: string) => {
    setPending(true);
    setMessage(undefined);
    try {
      await signIn({ username: pageConfig.LoginPage ? username : '', password: secret, recaptcha: captcha });
      setPassword('');
    } catch (error) {
      setMessage(toFieldError(error, t).text);
      captchaBox.current?.reset();
      input.current?.select();
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      title={t('login.again.title')}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => {
        if (isPending) return;
        if (pageConfig.LoginPage && password === '') setMessage(t('login.enterPassword'));
        else void submit(password);
      }}
      footer={
        <>
          <Button isDisabled={isPending} onClick={onClose}>
            {t('login.again.later')}
          </Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {t('login.submit')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>{t('login.again.text')}</p>
        {pageConfig.LoginPage ? (
          <>
            <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
            <TextField
              ref={input}
              type="password"
              name="password"
              label={t('login.again.password', { name: username })}
              autoComplete="current-password"
              autoFocus
              hasReservedLine
              value={password}
              onChange={setPassword}
              errorMessage={message}
            />
            {pageConfig.ReCaptcha && (
              <CaptchaBox ref={captchaBox} onChange={setCaptcha} errorMessage={undefined} />
            )}
          </>
        ) : (
          <p role="alert" className={styles.error}>
            {message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface SignInAgainProps {
  username: string;
  isOpen: boolean;
  /** "Later": the page stays as it is, but cannot reach the server. */
  onClose: () => void;
}
