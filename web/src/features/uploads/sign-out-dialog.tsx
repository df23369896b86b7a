import { useTranslation } from '../../i18n/use-translation.ts';
import { create } from 'zustand';
import { pluralValues } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import type { UploadQueue } from './queue/upload-queue.ts';

interface SignOutPrompt {
  readonly unfinished: number;
  readonly answer: (isConfirmed: boolean) => void;
}

const usePrompt = create<{ prompt: SignOutPrompt | null }>(() => ({ prompt: null }));

/**
 * Whether the user may sign out now. While uploads are running, the user is asked first, and a yes cancels them;
 * resolves after the server has been notified, because that is impossible after signing out. Needs {@link
 * SignOutDialog} on the page.
 */
export async function confirmSignOut(queue: UploadQueue): Promise<boolean> {
  if (!queue.isBusy) {
    // The next user must not see the finished uploads.
    queue.dismiss();
    return true;
  }
  const { counts, planned } = queue.getSnapshot();
  const unfinished = planned + counts.sending + counts.asking + counts.paused + counts.waiting;
  usePrompt.getState().prompt?.answer(false);
  const isConfirmed = await new Promise<boolean>((resolve) => {
    usePrompt.setState({ prompt: { unfinished, answer: resolve } });
  });
  usePrompt.setState({ prompt: null });
  if (isConfirmed) {
    await queue.cancelAll();
    queue.dismiss();
  }
  return isConfirmed;
}

/** Asks for confirmation before a sign-out that would cancel uploads. */
export function SignOutDialog() {
  const { t } = useTranslation('uploads');
  const prompt = usePrompt((state) => state.prompt);
  return (
    <ConfirmDialog
      title={t('leave.title')}
      isOpen={prompt !== null}
      onClose={() => prompt?.answer(false)}
      onConfirm={() => prompt?.answer(true)}
      cancelLabel={t('leave.stay')}
      confirmLabel={t('leave.confirm')}
      isPermanent={false}
    >
      {prompt && t('leave.text', pluralValues(prompt.unfinished))}
    </ConfirmDialog>
  );
}
