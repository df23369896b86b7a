import { rootPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useState } from 'react';
import type { ActionContext } from '../../features/files/actions/action.ts';
import { bindActions, type FolderCommands } from '../../features/files/actions/actions.ts';
import { useActionContext } from '../../features/files/actions/use-action-context.ts';
import type { FolderHost } from '../../features/files/folder/folder-host.ts';
import { FolderSession } from '../../features/files/folder/folder-session.ts';
import { fileUploads } from '../files/file-uploads.ts';

/** Actions and the state that decides which are available. */
export interface NewActions {
  readonly context: ActionContext;
  readonly commands: FolderCommands;
}

/** The actions that create and upload entries, in the root folder. A new entry is shown there; uploads are in the tray. */
export function useNewActions(host: FolderHost): NewActions {
  // Names the folder of the actions. Its entries are loaded with the first dialog for a name, which compares names with them.
  const [root] = useState(() => new FolderSession(rootPath));
  const { user } = host;
  const commands = useMemo(() => {
    const bound = bindActions(() => ({
      session: root,
      host,
      startRenameInPlace: () => false,
      startCreateInPlace: () => false,
      showFilter: () => undefined,
      focusEntry: (name) => host.openFolder(rootPath, name),
    }));
    const withNames = (act: () => void) => () => {
      root.start();
      act();
    };
    return {
      ...bound,
      createFolder: withNames(bound.createFolder),
      createFile: withNames(bound.createFile),
    };
  }, [root, host]);
  useEffect(() => () => root.stop(), [root]);
  useEffect(() => fileUploads.setDestination(rootPath, user.perm.modify), [user.perm.modify]);
  return { context: useActionContext(root, user), commands };
}
