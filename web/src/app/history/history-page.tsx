import { rewindFolder, type RewindReport } from '@filestead/contract/endpoints/operations';
import type { Job } from '@filestead/contract/jobs';
import { nameOf, parentOf, rootPath, virtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from '../../ui/navigation/router.tsx';
import { call, jsonOf, send } from '../../api/call.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { announceChange, onFilesChange } from '../../features/files/entries/changes.ts';
import { transferFailureReason } from '../../features/files/feedback/failure.ts';
import { redoLast, toastWithUndo, undoLast, undoOne } from '../../features/files/feedback/undo.ts';
import { followJob } from '../../features/files/jobs/run-job.ts';
import { PromptHost } from '../../features/files/prompts/prompt-host.tsx';
import type { HistoryHost } from '../../features/history/history-host.ts';
import { type HistoryFilter, HistoryModel } from '../../features/history/history-model.ts';
import { historyText } from '../../features/history/history-texts.ts';
import { HistoryView } from '../../features/history/history-view.tsx';
import { RewindDialog } from '../../features/history/rewind-dialog.tsx';
import { useCurrentUser } from '../../features/sessions/session-store.ts';
import { folderName } from '../../i18n/folder-name.ts';
import { pluralValues } from '../../i18n/format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Rewind } from '../../ui/icons.ts';
import { ErrorScreen, statusOfError } from '../frame/error-screen.tsx';
import { Frame } from '../frame/frame.tsx';
import { FrameTitle } from '../frame/frame-title.tsx';
import { youAddress } from '../you/you-address.ts';
import type { PaletteCommand } from '../palette/palette-command.ts';
import { fileAddress } from '../../ui/navigation/file-address.ts';
import { usePageTitle } from '../routes/page-title.ts';
import { useUndoKeys } from './use-undo-keys.ts';

/** The history: the operations of the last 30 days, each with its undo, and the rewind of a folder. */
export function HistoryPage() {
  const { t } = useTranslation('history');
  const [model] = useState(() => new HistoryModel());
  const [parameters] = useSearchParams();
  // The menu of a folder leads here with the question open.
  const [isRewinding, setRewinding] = useState(parameters.has('rewind'));
  const { filter, setFilter } = useFilter(model);
  const host = useHistoryHost(model);
  usePageTitle(t('title'));
  useUndoKeys();
  useEffect(() => onFilesChange(() => void model.reload()), [model]);
  useEffect(() => () => model.stop(), [model]);
  const openRewind = () => setRewinding(true);
  return (
    <>
      <Frame
        header={<FrameTitle>{t('title')}</FrameTitle>}
        actions={
          <Button icon={<Rewind />} onClick={openRewind}>
            {t('rewind.open')}
          </Button>
        }
        usagePath={rootPath}
        phone={{
          title: t('title'),
          back: { name: t('frame.you', { ns: 'app' }), to: youAddress },
          actions: <IconButton label={t('rewind.open')} icon={<Rewind />} onClick={openRewind} />,
        }}
        commands={() => paletteCommands(t, openRewind)}
      >
        {model.phase === 'failed' ? (
          <ErrorScreen
            status={statusOfError(model.error)}
            onRetry={() => void model.reload()}
            headingLevel={2}
          />
        ) : (
          <HistoryView model={model} host={host} filter={filter} onFilter={setFilter} />
        )}
      </Frame>
      <RewindDialog
        isOpen={isRewinding}
        below={filter.below}
        usernames={usernamesOf(model)}
        host={host}
        onClose={() => setRewinding(false)}
      />
      <PromptHost />
    </>
  );
}

const usernamesOf = ({ items }: HistoryModel): string[] =>
  [...new Set(items.flatMap(({ user }) => user ?? []))].toSorted();

/** Returns the filter in the address, and shows its list. */
function useFilter(model: HistoryModel): {
  filter: HistoryFilter;
  setFilter: (filter: HistoryFilter) => void;
} {
  const [parameters, setParameters] = useSearchParams();
  const isMine = parameters.get('by') === 'me';
  const below = parameters.get('below') ?? '';
  useEffect(() => void model.show({ isMine, below }), [model, isMine, below]);
  return {
    filter: { isMine, below },
    setFilter: (next) =>
      setParameters(
        { ...(next.isMine && { by: 'me' }), ...(next.below !== '' && { below: next.below }) },
        { replace: true },
      ),
  };
}

/** Returns the functions of the application that the history uses. */
function useHistoryHost(model: HistoryModel): HistoryHost {
  const user = useCurrentUser();
  const navigate = useNavigate();
  return useMemo(
    () => ({
      username: user.username,
      isAdministrator: user.perm.admin,
      undo: undoOne,
      countRewind: async (request, signal) =>
        (await call(rewindFolder, { body: request, query: { check: 'true' }, signal })) as RewindReport,
      async rewind(request) {
        const job = (await jsonOf(await send(rewindFolder, { body: request }))) as Job;
        void reportRewind(job, request.below, model);
      },
      reveal: (path) => void navigate(fileAddress(parentOf(path), true), { state: { reveal: nameOf(path) } }),
      reasonOf: transferFailureReason,
    }),
    [user, navigate, model],
  );
}

/** Waits for the job of a rewind, and reports its result. */
async function reportRewind(job: Job, below: string, model: HistoryModel): Promise<void> {
  const folder = virtualPath(below);
  try {
    const { items } = await followJob(job, { name: '', destination: null });
    announceChange({ folders: [folder] });
    if (items.done > 0) {
      const values = { ...pluralValues(items.done), total: pluralValues(items.total).number };
      const text = items.done === items.total ? 'rewind.done' : 'rewind.donePartly';
      toastWithUndo(historyText(text, { ...values, folder: folderName(folder) }), [job.id]);
    }
  } finally {
    await model.reload();
  }
}

type Translate = ReturnType<typeof useTranslation<'history'>>['t'];

/** Returns the commands of the palette. */
const paletteCommands = (t: Translate, openRewind: () => void): PaletteCommand[] => [
  { id: 'undo', label: t('undo'), group: t('title'), shortcut: 'Mod+Z', run: undoLast },
  { id: 'redo', label: t('redo'), group: t('title'), shortcut: 'Mod+Shift+Z', run: redoLast },
  { id: 'rewind', label: t('rewind.open'), group: t('title'), run: openRewind },
];
