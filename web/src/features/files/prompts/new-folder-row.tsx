import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { isApiError } from '../../../api/call.ts';
import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { announceChange } from '../entries/changes.ts';
import { createEntry } from '../entries/create-entry.ts';
import { checkName } from '../entries/name-check.ts';
import { transferFailureReason } from '../feedback/failure.ts';

interface NewFolderRowProps {
  folder: VirtualPath;
  onCancel: () => void;
  onCreated: (path: VirtualPath) => void;
}

/** The field for the name of a new folder, as a row of the tree: Enter creates the folder, Escape cancels. */
export function NewFolderRow({ folder, onCancel, onCreated }: NewFolderRowProps) {
  const { t } = useTranslation('files');
  const [input, setInput] = useState(t('transfer.newFolder'));
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const { name, problem } = checkName(input, folder, () => false);
  const create = async () => {
    if (isPending) return;
    // A new folder has no previous name that could be unchanged.
    if (problem !== null && problem !== 'unchanged') {
      setFailure(t(`nameProblems.${problem}`, { name: isolateBidi(name) }));
      return;
    }
    setPending(true);
    try {
      const path = await createEntry('folder', folder, name);
      announceChange({ folders: [folder] });
      onCreated(path);
    } catch (error) {
      setPending(false);
      setFailure(
        isApiError(error, 'already_exists')
          ? t('nameProblems.taken', { name: isolateBidi(name) })
          : transferFailureReason(error),
      );
    }
  };
  return (
    <TextField
      label={t('transfer.newFolderName')}
      isLabelHidden
      value={input}
      autoFocus
      autoComplete="off"
      spellCheck={false}
      onFocus={(event) => event.target.select()}
      onChange={(next) => {
        setInput(next);
        setFailure(null);
      }}
      errorMessage={failure ?? undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
        else if (event.key === 'Enter' && !event.nativeEvent.isComposing) void create();
        else return;
        // The dialog and its form must not handle the key.
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
