import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { ApiError } from '../../../api/call.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { settingsFailureText } from './failure-text.ts';

/**
 * Saves one card and reports the result until `forget` is called after a change. `done` is the key of the success
 * message, which is translated after saving, because that may change the language. `refusal` is the server's own message
 * about a rule.
 */
export function useCardSave(done: 'updated' | 'commands.updated') {
  const { t } = useTranslation('settings');
  const [isPending, setPending] = useState(false);
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<void>) => {
    if (isPending) return;
    setError(null);
    setDone(false);
    setPending(true);
    try {
      await act();
      setDone(true);
      showToast({ tone: 'success', message: i18n.t(done, { ns: 'settings' }) });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  const code = error instanceof ApiError ? error.code : null;
  const refusal = error instanceof ApiError && code === 'invalid_rule' ? (error.detail ?? '') : undefined;
  let failure = error === null ? '' : settingsFailureText(t, error);
  if (code === 'invalid_rule') failure = t('global.error.rules');
  // The password field shows this error.
  if (code === 'current_password_wrong') failure = '';
  if (code === 'invalid_path') failure = t('global.error.scope');
  const forget = () => {
    setError(null);
    setDone(false);
  };
  return { run, isPending, isDone, failure, refusal, forget };
}
