import type { Sorting } from '@filestead/contract/users';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { ActionContext, ActionTargets } from '../actions/action.ts';
import { resultShower } from '../actions/copy-or-move.ts';
import { bindActions, type FolderCommands } from '../actions/actions.ts';
import { takeDragged, takeReturned } from '../clipboard/dragged-entries.ts';
import { focusEntry } from './focus-entry.ts';
import type { FilterHandle } from './folder-footer.tsx';
import type { FolderSession } from './folder-session.ts';
import type { FolderHost } from './folder-host.ts';
import { sortedText } from '../listing/announcer.ts';
import type { ListingHandle } from '../listing/listing-options.ts';
import { closeAllPrompts } from '../prompts/prompt-store.ts';
import { transferEntries } from '../actions/lazy-changes.ts';
import { offerUndo } from '../feedback/undo.ts';
import { useActionContext } from '../actions/use-action-context.ts';

/** The state that the header, listing, bars and menus of a folder share. */
export interface FolderScreen {
  readonly session: FolderSession;
  readonly host: FolderHost;
  readonly context: ActionContext;
  readonly commands: FolderCommands;
  readonly listing: RefObject<ListingHandle | null>;
  readonly filter: RefObject<FilterHandle | null>;
  readonly sort: (sorting: Sorting) => void;
  /** Moves or copies the dragged entries. */
  readonly dropDragged: (destination: VirtualPath, isCopy: boolean) => void;
}

/** The current targets of commands, which may be called long after they were created. */
class ShownFolder {
  #targets: ActionTargets;

  constructor(targets: ActionTargets) {
    this.#targets = targets;
  }

  get targets(): ActionTargets {
    return this.#targets;
  }

  update(targets: ActionTargets): void {
    this.#targets = targets;
  }
}

/** Runs `session` while it is shown, and provides its commands. */
export function useFolderScreen(session: FolderSession, host: FolderHost): FolderScreen {
  const listing = useRef<ListingHandle>(null);
  const filter = useRef<FilterHandle>(null);
  const [shown] = useState(
    () =>
      new ShownFolder({
        session,
        host,
        startRenameInPlace: () => false,
        startCreateInPlace: () => false,
        showFilter: () => undefined,
        focusEntry: () => undefined,
      }),
  );
  useEffect(() => {
    shown.update({
      session,
      host,
      startRenameInPlace: (id) => {
        if (host.isPhone || !listing.current) return false;
        listing.current.startRename(id);
        return true;
      },
      startCreateInPlace: () => {
        if (host.isPhone || !listing.current) return false;
        session.model.filter('');
        listing.current.startCreate();
        return true;
      },
      showFilter: () => filter.current?.show(),
      focusEntry: (name) => focusEntry(session.model, listing, name),
    });
  });
  useEffect(() => {
    session.start();
    session.revealPaths(takeReturned().map(({ path }) => path));
    return () => {
      session.stop();
      closeAllPrompts();
    };
  }, [session]);
  const { sorting } = host.user;
  useEffect(() => session.model.sort(sorting), [session, sorting]);

  const stable = useMemo(
    () => ({
      commands: bindActions(() => shown.targets),
      sort: (next: Sorting) => saveSorting(() => shown.targets, next),
      dropDragged: (destination: VirtualPath, isCopy: boolean) => {
        const entries = takeDragged();
        const kind = isCopy ? 'copy' : 'move';
        const { targets } = shown;
        const show = resultShower(targets.host, targets.session.path, destination);
        const { perm } = targets.host.user;
        if (entries.length > 0) void transferEntries({ kind, entries, destination }, perm, show);
      },
    }),
    [shown],
  );
  return { session, host, listing, filter, context: useActionContext(session, host.user), ...stable };
}

/** Sorts at once and remembers the order for the next visit of the folder. */
function saveSorting(targets: () => ActionTargets, next: Sorting): void {
  const { session, host } = targets();
  const before = session.model.sorting;
  const sort = (sorting: Sorting): void => {
    session.model.sort(sorting);
    host.saveView({ sorting });
  };
  offerUndo(async () => {
    sort(before);
    return sortedText(before);
  });
  sort(next);
}
