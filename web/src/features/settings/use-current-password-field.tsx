import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { isApiError } from '../../api/call.ts';
import { TextField } from '../../ui/fields/text-field.tsx';

/** The user's own password, for changes that the server wants confirmed. */
export interface CurrentPasswordField {
  /**
   * Runs `act` with the typed password. Throws what `act` throws; the field appears if the server asks for the
   * password.
   */
  confirm(act: (password: string | undefined) => Promise<void>): Promise<void>;
  /** The field; null until it is needed. */
  readonly field: ReactNode;
  /** Hides the field and clears the password, after the change that needed it was reverted. */
  forget(): void;
}

/** Asks for the user's own password once the server requires it. */
export function useCurrentPasswordField(): CurrentPasswordField {
  const { t } = useTranslation('settings');
  const [password, setPassword] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [errorMessage, setErrorMessage] = useState('');
  const input = useRef<HTMLInputElement | null>(null);
  // The field has just been rendered.
  useEffect(() => {
    if (isAsked) input.current?.focus();
  }, [isAsked]);
  const forget = () => {
    setAsked(false);
    setPassword('');
  };
  return {
    async confirm(act) {
      try {
        await act(isAsked ? password : undefined);
        forget();
      } catch (error) {
        if (isApiError(error, 'current_password_wrong')) {
          setErrorMessage(t(isAsked ? 'password.wrongCurrent' : 'password.askCurrent'));
          setAsked(true);
          input.current?.focus();
        }
        throw error;
      }
    },
    field: isAsked ? (
      <TextField
        ref={input}
        type="password"
        label={t('password.current')}
        autoComplete="current-password"
        value={password}
        onChange={(next) => {
          setPassword(next);
          setErrorMessage('');
        }}
        errorMessage={errorMessage === '' ? undefined : errorMessage}
      />
    ) : null,
    forget,
  };
}
