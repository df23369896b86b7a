import { useEffect, useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { isAbort } from '../../../api/call.ts';
import { formatSize, pluralValues } from '../../../i18n/format.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import type { TrashHost } from '../trash-host.ts';
import type { TrashModel } from '../trash-model.ts';
import type { PurgeQuestion } from '../trash-targets.ts';
import { measurePurge, purge, type PurgeSummary } from './purge-items.ts';

interface PurgeDialogProps {
  /** Null while the dialog is closed. */
  question: PurgeQuestion | null;
  model: TrashModel;
  host: TrashHost;
  onClose: () => void;
  /** Called after the items were deleted. */
  onPurged?: (() => void) | undefined;
}

/** Asks before items are deleted forever, with their number and size. */
export function PurgeDialog({ question, model, host, onClose, onPurged }: PurgeDialogProps) {
  /** The dialog still shows the question while it closes. */
  const [last, setLast] = useState({ question, key: 0 });
  if (question !== null && question !== last.question) setLast({ question, key: last.key + 1 });
  if (last.question === null) return null;
  return (
    <Question
      key={last.key}
      question={last.question}
      isOpen={question !== null}
      model={model}
      host={host}
      onClose={onClose}
      onPurged={onPurged}
    />
  );
}

interface QuestionProps extends PurgeDialogProps {
  question: PurgeQuestion;
  isOpen: boolean;
}

function Question({ question, isOpen, model, host, onClose, onPurged }: QuestionProps) {
  const { t } = useTranslation('trash');
  const [summary, setSummary] = useState<PurgeSummary | null>(null);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    const controller = new AbortController();
    measurePurge(question, model, controller.signal).then(setSummary, (error: unknown) => {
      if (!isAbort(error) && !controller.signal.aborted) setFailure(error);
    });
    return () => controller.abort();
  }, [question, model]);
  const confirm = async () => {
    setPending(true);
    setFailure(null);
    try {
      await purge(question, model, host);
      onClose();
      onPurged?.();
    } catch (error) {
      setFailure(error);
    } finally {
      setPending(false);
    }
  };
  const only = question.kind === 'items' && question.items.length === 1 ? question.items[0] : undefined;
  const count = question.kind === 'items' ? question.items.length : (summary?.count ?? 0);
  return (
    <ConfirmDialog
      title={
        question.kind === 'all'
          ? t('purge.titleAll')
          : only
            ? t('purge.titleOne', { name: isolateBidi(only.name) })
            : t('purge.titleMany', pluralValues(count))
      }
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => void confirm()}
      confirmLabel={question.kind === 'all' ? t('purge.confirmAll') : t('purge.confirm')}
      isPending={isPending}
      errorMessage={failure === null ? null : `${t('notPurged')} ${host.reasonOf(failure)}`}
    >
      {summary === null ? failure === null && t('purge.counting') : textOf(summary, only !== undefined, t)}
    </ConfirmDialog>
  );
}

type Translate = ReturnType<typeof useTranslation<'trash'>>['t'];

function textOf(
  { count, size: { bytes, isPartial }, staying }: PurgeSummary,
  isOne: boolean,
  t: Translate,
): string {
  const stayingText = staying > 0 ? t('purge.staying', pluralValues(staying)) : '';
  if (count === 0) return `${t('purge.nothing')} ${stayingText}`.trim();
  const size = isPartial ? t('purge.atLeast', { size: formatSize(bytes) }) : formatSize(bytes);
  const isUnknown = isPartial && bytes === 0;
  const text = isOne
    ? isUnknown
      ? t('purge.textOne')
      : t('purge.textOneWithSize', { size })
    : isUnknown
      ? t('purge.textWithoutSize', pluralValues(count))
      : t('purge.text', { ...pluralValues(count), size });
  return `${text} ${stayingText}`.trim();
}
