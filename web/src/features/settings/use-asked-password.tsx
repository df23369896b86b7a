import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/call.ts';
import { TextField } from '../../ui/fields/text-field.tsx';

/** One's own password, for changes before which the server asks for it. */
export interface AskedPassword {
  /** Does what needs the password, with what was typed. Throws what `act` throws; the field appears when the server asks. */
  confirm(act: (password: string | undefined) => Promise<void>): Promise<void>;
  /** The field; null while nobody has asked. */
  readonly field: ReactNode;
  /** To be called when what the password was asked for has been taken back. */
  forget(): void;
}

/** Asks for one's own password once the server does. */
export function useAskedPassword(): AskedPassword {
  const { t } = useTranslation('settings');
  const [password, setPassword] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [complaint, setComplaint] = useState('');
  const input = useRef<HTMLInputElement | null>(null);
  // The field has just been drawn.
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
          setComplaint(t(isAsked ? 'password.wrongCurrent' : 'password.askCurrent'));
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
          setComplaint('');
        }}
        errorMessage={complaint === '' ? undefined : complaint}
      />
    ) : null,
    forget,
  };
}
