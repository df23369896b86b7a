import { useState } from 'react';
import { isApiError } from '../../api/call.ts';

/** A change that the server may want confirmed with the user's own password. */
type Change = (currentPassword?: string) => Promise<void>;

/**
 * Runs changes of users. If the server asks for the signed-in user's own password, `question` is set until it is
 * entered or the change is cancelled. Every other error is passed to `onFailed`.
 */
export function useConfirmedChange(onFailed: (error: unknown) => void) {
  const [asked, setAsked] = useState<{ change: Change; isWrong: boolean } | null>(null);
  const [isPending, setPending] = useState(false);

  const run = async (change: Change, currentPassword?: string): Promise<void> => {
    setPending(true);
    try {
      await change(currentPassword);
      setAsked(null);
    } catch (error) {
      if (isApiError(error, 'current_password_wrong')) {
        setAsked({ change, isWrong: currentPassword !== undefined });
      } else {
        setAsked(null);
        onFailed(error);
      }
    } finally {
      setPending(false);
    }
  };

  return {
    isPending,
    run: (change: Change) => void run(change),
    question: {
      isOpen: asked !== null,
      isWrong: asked?.isWrong ?? false,
      isPending,
      onClose: () => setAsked(null),
      onConfirm: (password: string) => {
        if (asked) void run(asked.change, password);
      },
    },
  };
}
