import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { sortKeys, viewModes } from '@filestead/contract/users';
import {
  InvalidPathError,
  nameOf,
  parsePath,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { fileActions } from '../../features/files/actions/actions.ts';
import { showView } from '../../features/files/actions/change-view.ts';
import { ancestorsOf } from '../../features/files/header/ancestors.ts';
import type { FolderScreen } from '../../features/files/folder/use-folder-screen.ts';
import { chooseDensity, densities } from '../../features/files/folder/view-options.ts';
import { i18n } from '../../i18n/i18n.ts';
import { displayName } from '../../i18n/display-name.ts';
import type { PaletteCommand } from './palette-command.ts';

/** Maximum number of subfolders that are offered; any other folder can be reached by its path. */
const maxFolders = 200;

/** Returns palette commands for the current folder and its selection, from the table of actions. */
export function folderPaletteCommands(screen: FolderScreen): PaletteCommand[] {
  const { context, commands, host, session, sort } = screen;
  const t = i18n.translatorOf(['palette', 'files', 'listing']);
  const { user } = host;
  const appearance = t('groups.look');
  const group = context.count > 0 ? t('groups.selection') : t('groups.folder');
  return [
    ...fileActions
      .filter((action) => action.isOffered(context))
      .map(({ id, keys }) => ({
        id,
        label: t(`files:actions.${id}`),
        group,
        shortcut: keys[0],
        run: commands[id],
      })),
    ...viewModes
      .filter((mode) => mode !== user.viewMode)
      .map((mode) => ({
        id: `view ${mode}`,
        label: t('viewAs', { view: t(`files:views.${mode}`) }),
        group: appearance,
        run: () => showView(host, mode),
      })),
    ...densities.map((density) => ({
      id: `density ${density}`,
      label: t('rowHeight', { density: t(`files:densities.${density}`) }),
      group: appearance,
      run: () => chooseDensity(density),
    })),
    ...sortKeys.map((by) => ({
      id: `sort ${by}`,
      label: t('orderBy', { order: t(`listing:columns.${by}.sort`) }),
      group: appearance,
      run: () => sort({ by, asc: false }),
    })),
    ...nearbyFolders(session).map((path) => ({
      id: `go ${path}`,
      label: t('goTo', { folder: displayName(nameOf(path)) || t('files:root') }),
      group: t('groups.go'),
      run: () => host.openFolder(path),
    })),
  ];
}

/** Returns the folders above the current one, and the first ones in it. */
function nearbyFolders(session: FolderScreen['session']): VirtualPath[] {
  const { model } = session;
  const above = ancestorsOf(session.path).slice(0, -1);
  const below: VirtualPath[] = [];
  for (const id of model.order) {
    // Folders come first in every order.
    if (!model.isFolder(id) || below.length === maxFolders) break;
    below.push(session.entry(id).path);
  }
  return [...above, ...below];
}

/** Returns the command that opens the folder whose path was typed. */
export function folderOfTypedPath(query: string, openFolder: (path: VirtualPath) => void): PaletteCommand[] {
  const text = query.trim();
  if (!text.startsWith('/')) return [];
  try {
    const { path } = parsePath(text);
    return [
      {
        id: 'go to typed path',
        label: i18n.t('goTo', { ns: 'palette', folder: isolateBidi(path) }),
        group: i18n.t('groups.go', { ns: 'palette' }),
        run: () => openFolder(path),
      },
    ];
  } catch (error) {
    // Input that is not a path simply has no command.
    if (error instanceof InvalidPathError) return [];
    throw error;
  }
}
