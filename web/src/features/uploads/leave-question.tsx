import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import type { UploadQueue } from './queue/upload-queue.ts';
import { filesText } from './upload-texts.ts';

interface Question {
  readonly unfinished: number;
  readonly answer: (isLeaving: boolean) => void;
}

const useQuestion = create<{ question: Question | null }>(() => ({ question: null }));

/**
 * Whether the user may sign out now. While uploads are running, the user is asked first, and a yes cancels them;
 * resolves after the server has been notified, because that is impossible after signing out. Needs {@link
 * LeaveQuestion} on the page.
 */
export async function mayLeave(queue: UploadQueue): Promise<boolean> {
  if (!queue.isBusy) {
    // The next user must not see the finished uploads.
    queue.dismiss();
    return true;
  }
  const { counts, planned } = queue.getSnapshot();
  const unfinished = planned + counts.sending + counts.asking + counts.paused + counts.waiting;
  useQuestion.getState().question?.answer(false);
  const isLeaving = await new Promise<boolean>((resolve) => {
    useQuestion.setState({ question: { unfinished, answer: resolve } });
  });
  useQuestion.setState({ question: null });
  if (isLeaving) {
    await queue.cancelAll();
    queue.dismiss();
  }
  return isLeaving;
}

/** Asks for confirmation before a sign-out that would cancel uploads. */
export function LeaveQuestion() {
  const { t } = useTranslation('uploads');
  const question = useQuestion((state) => state.question);
  return (
    <ConfirmDialog
      title={t('leave.title')}
      isOpen={question !== null}
      onClose={() => question?.answer(false)}
      onConfirm={() => question?.answer(true)}
      cancelLabel={t('leave.stay')}
      confirmLabel={t('leave.confirm')}
    >
      {question && t('leave.text', filesText(question.unfinished))}
    </ConfirmDialog>
  );
}
