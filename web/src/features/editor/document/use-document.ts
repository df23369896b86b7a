import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import { useLeaveGuard } from '../../../ui/navigation/use-leave-guard.ts';
import type { CodeView } from '../code-view.ts';
import { EditSession } from './edit-session.ts';
import { composeText, parseText, type FileText } from './line-endings.ts';
import { saveCopy } from './save-copy.ts';
import { readTextFile, saveTextFile } from './text-file.ts';

interface OpenedFile {
  path: VirtualPath;
  resource: { readonly content?: string | undefined };
  version: string | null;
  onSaved?: (() => void) | undefined;
  onSavedAs?: ((path: VirtualPath) => void) | undefined;
}

const isSameText = (first: FileText, second: FileText): boolean => first.doc.eq(second.doc);

/** The text of a file while it is edited: its state, saving, loading it again, and saving it as another file. */
export function useDocument(file: OpenedFile, code: RefObject<CodeView | null>) {
  const { path, version, onSaved, onSavedAs } = file;
  const [text, setText] = useState(() => parseText(file.resource.content ?? ''));
  const [session] = useState(
    () =>
      new EditSession<FileText>({
        doc: text,
        version,
        isEqual: isSameText,
        save: (current, ifVersion) => saveTextFile(path, composeText(current), ifVersion),
      }),
  );
  const state = useSyncExternalStore(session.subscribe, session.getSnapshot);
  const [didReloadFail, setDidReloadFail] = useState(false);
  const [copy, setCopy] = useState<VirtualPath | null>(null);
  const pendingLeave = useLeaveGuard(state.isDirty);
  // The copy is opened only after the guard has registered that nothing is unsaved.
  useEffect(() => {
    if (copy !== null && !state.isDirty) onSavedAs?.(copy);
  }, [copy, state.isDirty, onSavedAs]);

  const save = async (options?: { overwrite: boolean }) => {
    const isSaved = await session.save(options);
    if (isSaved) onSaved?.();
    return isSaved;
  };
  const reload = async () => {
    try {
      const current = await readTextFile(path);
      const reloaded = parseText(current.content);
      code.current?.replace(reloaded);
      session.reload(reloaded, current.version);
      setText(reloaded);
      setDidReloadFail(false);
    } catch {
      session.dismissProblem();
      setDidReloadFail(true);
    }
  };
  const saveAsCopy = async () => {
    session.dismissProblem();
    try {
      const saved = await saveCopy(path, composeText(text));
      session.reload(text, version);
      setCopy(saved);
    } catch (error) {
      session.fail(error);
    }
  };
  return { text, setText, session, state, didReloadFail, pendingLeave, save, reload, saveAsCopy };
}
