import { useState } from 'react';
import { isApiError } from '../../api/call.ts';

/** A change that the server may want confirmed with the user's own password. */
type Change = (currentPassword?: string) => Promise<void>;

/**
 * Runs changes of users. If the server asks for the signed-in user's own password, `prompt` is open until it is
 * entered or the change is cancelled. Every other error is passed to `onFailed`.
 */
export function useConfirmedChange(onFailed: (error: unknown) => void) {
  const [unconfirmed, setUnconfirmed] = useState<{ change: Change; isWrong: boolean } | null>(null);
  const [isPending, setPending] = useState(false);

  const run = async (change: Change, currentPassword?: string): Promise<void> => {
    setPending(true);
    try {
      await change(currentPassword);
      setUnconfirmed(null);
    } catch (error) {
      if (isApiError(error, 'current_password_wrong')) {
        setUnconfirmed({ change, isWrong: currentPassword !== undefined });
      } else {
        setUnconfirmed(null);
        onFailed(error);
      }
    } finally {
      setPending(false);
    }
  };

  return {
    isPending,
    run: (change: Change) => void run(change),
    prompt: {
      isOpen: unconfirmed !== null,
      isWrong: unconfirmed?.isWrong ?? false,
      isPending,
      onClose: () => setUnconfirmed(null),
      onConfirm: (password: string) => {
        if (unconfirmed) void run(unconfirmed.change, password);
      },
    },
  };
}
