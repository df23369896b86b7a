import { useState } from 'react';
import { isApiError } from '../../api/call.ts';

/** A change that the server may want confirmed with one's own password. */
type Change = (currentPassword?: string) => Promise<void>;

/**
 * Runs changes of users. When the server asks for one's own password, `question` is there until it is given or the change
 * is given up. Every other failure goes to `onFailed`.
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
