import { isolateBidi } from '../../../i18n/isolate-bidi.ts';
import { extensionOf } from '@filestead/contract/paths/virtual-path';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { isApiError } from '../../../api/call.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { transferFailureReason } from '../feedback/failure.ts';
import { checkName, stemEnd } from '../entries/name-check.ts';
import { suggestedName } from '../entries/suggested-name.ts';
import { closePrompt, type NamePrompt } from './prompt-store.ts';

/** Asks for a name, checks it while it is typed, and shows a refusal by the server in the dialog. */
export function NameDialog({ prompt, isOpen }: { prompt: NamePrompt; isOpen: boolean }) {
  const { t } = useTranslation('files');
  const { purpose, folder, entry, isTaken, submit } = prompt;
  const [initialName] = useState(() => (entry ? suggestedName(entry.name) : ''));
  const [input, setInput] = useState(initialName);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const [isPending, setPending] = useState(false);
  /** Names that the server has refused as existing, although this user does not see the entry. */
  const [refusedNames, setRefusedNames] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const { name, problem } = checkName(
    input,
    folder,
    (candidate) => isTaken(candidate) || refusedNames.includes(candidate),
    entry?.name,
  );
  const close = () => closePrompt(prompt);
  // An empty field is reported only after the user submits it.
  const isProblemShown = problem !== null && problem !== 'unchanged' && (problem !== 'empty' || wasSubmitted);
  const send = async () => {
    setWasSubmitted(true);
    setFailure(null);
    if (problem === 'unchanged') close();
    if (problem !== null || isPending) return;
    setPending(true);
    try {
      await submit(name);
      close();
    } catch (error) {
      if (isApiError(error, 'already_exists')) setRefusedNames([...refusedNames, name]);
      else setFailure(transferFailureReason(error));
    } finally {
      setPending(false);
    }
  };
  const warning = entry && problem === null ? extensionWarning(entry.name, name, entry.isFolder) : null;
  return (
    <Dialog
      title={t(`name.${purpose}Title`)}
      isOpen={isOpen}
      onClose={close}
      onSubmit={() => void send()}
      footer={
        <>
          <Button onClick={close}>{t('cancel', { ns: 'common' })}</Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            {t(purpose === 'rename' ? 'name.rename' : 'name.create')}
          </Button>
        </>
      }
    >
      <TextField
        label={labelOf(prompt, t)}
        value={input}
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        hasReservedLine
        onFocus={(event) => {
          if (entry && input === initialName) {
            event.target.setSelectionRange(0, stemEnd(initialName, entry.isFolder));
          }
        }}
        onChange={(next) => {
          setInput(next);
          setFailure(null);
        }}
        description={warning && t(`name.${warning.after ? 'extensionChanges' : 'extensionRemoved'}`, warning)}
        errorMessage={
          isProblemShown ? t(`nameProblems.${problem}`, { name: isolateBidi(name) }) : (failure ?? undefined)
        }
      />
    </Dialog>
  );
}

type Translate = ReturnType<typeof useTranslation<'files'>>['t'];

function labelOf({ purpose, entry }: NamePrompt, t: Translate): string {
  if (purpose !== 'rename') return t('name.label');
  return t(entry?.isFolder ? 'name.renameFolderLabel' : 'name.renameFileLabel');
}

/** Returns the extensions before and after if the type of a file changes. */
function extensionWarning(
  before: string,
  after: string,
  isFolder: boolean,
): { before: string; after: string } | null {
  const oldExtension = extensionOf(before);
  const newExtension = extensionOf(after);
  const hasNoExtension = oldExtension === '' || oldExtension === before;
  return isFolder || hasNoExtension || oldExtension.toLowerCase() === newExtension.toLowerCase()
    ? null
    : { before: oldExtension, after: newExtension };
}
