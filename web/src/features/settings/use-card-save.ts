import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/call.ts';
import { showToast } from '../../ui/toast.ts';
import { failureText } from './failure-text.ts';

/** Runs the saving of one card and says how it went, until `forget` is called because something has changed. `refusal` is the server's own sentence about a rule. */
export function useCardSave(done: string) {
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
      showToast({ tone: 'success', message: done });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  const code = error instanceof ApiError ? error.code : null;
  const refusal = error instanceof ApiError && code === 'invalid_rule' ? (error.detail ?? '') : undefined;
  let failure = error === null ? '' : failureText(t, error);
  if (code === 'invalid_rule') failure = t('global.error.rules');
  if (code === 'invalid_path') failure = t('global.error.scope');
  const forget = () => {
    setError(null);
    setDone(false);
  };
  return { run, isPending, isDone, failure, refusal, forget };
}
