import { iconInMenu } from '../../features/files/actions/entry-menu.tsx';
import { actionsAt, type ActionId } from '../../features/files/actions/actions.ts';
import { showDestination, transferInDialog } from '../../features/files/actions/copy-or-move.ts';
import type { FileEntry } from '../../features/files/entries/entry.ts';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { MenuItem } from '../../ui/overlays/menu.tsx';

/** The actions of the listing that are in the menu of the previewer; its bar has the others. */
const offered: ReadonlySet<ActionId> = new Set<ActionId>([
  'versions',
  'tags',
  'move',
  'copy',
  'duplicate',
  'rename',
  'copyPath',
  'copyAddress',
]);

interface PreviewMenuProps {
  entry: FileEntry;
  screen: FolderScreen;
  /** Called when the file was moved out of its folder. */
  onMoved: () => void;
  onRename: () => void;
}

/** The items of the previewer's menu, which act on the file as the menu of the listing does. */
export function PreviewMenu({ entry, screen, onMoved, onRename }: PreviewMenuProps) {
  const { t } = useTranslation('files');
  const { session, context, commands } = screen;
  const run = (id: ActionId) => {
    if (id === 'move') {
      transferInDialog('move', [entry], screen, (moved) => {
        if (moved.length > 0) onMoved();
        showDestination(screen, session, moved);
      });
      return;
    }
    if (id === 'rename') {
      onRename();
      return;
    }
    const listed = session.idOf(entry.path);
    if (listed === null) return;
    // The actions work on the selection; the file is selected when the previewer is closed, too.
    session.model.selectOnly(listed);
    commands[id]();
  };
  return actionsAt('entryMenu', { ...context, count: 1, sample: [entry] })
    .filter(({ id }) => offered.has(id))
    .map(({ id, icon, keys }) => (
      // The other keys of the listing are not available here.
      <MenuItem
        key={id}
        icon={iconInMenu(icon)}
        shortcut={id === 'rename' ? keys[0] : undefined}
        onAction={() => run(id)}
      >
        {t(`actions.${id}`)}
      </MenuItem>
    ));
}
