import type { TrashItem } from '@filestead/contract/endpoints/trash';
import { rootPath } from '@filestead/contract/paths/virtual-path';
import type { Permissions } from '@filestead/contract/values/permissions';
import type { ComponentType } from 'react';
import {
  Download,
  Eye,
  Filter,
  FolderInput,
  FolderOpen,
  Redo2,
  RefreshCw,
  RotateCcw,
  Search,
  SquareCheck,
  Trash2,
  Undo2,
  X,
} from '../../ui/icons.ts';
import { isShortcut, type Keystroke } from '../../ui/keyboard/keystroke.ts';
import type { TrashHost } from './trash-host.ts';
import type { TrashModel } from './trash-model.ts';
import { downloadItem } from './download-item.ts';
import { restoreHere, restoreTo } from './restore/restore-items.ts';
import type { TrashTargets } from './trash-targets.ts';
import { folderOf } from './trash-texts.ts';

/** The maximum size of a selection whose items are inspected to decide which actions are available. */
const maxSample = 100;

/** The state that decides whether an action is available. */
export interface TrashContext {
  readonly can: Permissions;
  /** The number of selected items. */
  readonly count: number;
  /** The selected items; empty when there are more than {@link maxSample}. */
  readonly sample: readonly TrashItem[];
  /** The number of items in the list. */
  readonly total: number;
  /** The folder below which all items of the list were; empty without this restriction. */
  readonly below: string;
}

/** The places where an action is offered besides the keyboard and the palette. */
export type TrashPlace = 'selection' | 'itemMenu' | 'listMenu';

/** An action as a value: bar, menus, palette and keyboard read the same list. */
interface TrashActionEntry {
  /** The id; its text is `actions.<id>` in the `trash` namespace. */
  readonly id: string;
  readonly icon: ComponentType;
  /** The first shortcut is shown. */
  readonly keys: readonly string[];
  readonly places: readonly TrashPlace[];
  readonly isDangerous?: boolean;
  readonly isOffered: (context: TrashContext) => boolean;
  readonly run: (targets: TrashTargets) => void;
}

const hasSelection = ({ count }: TrashContext): boolean => count > 0;
const isOne = ({ count }: TrashContext): boolean => count === 1;
const allOf =
  (property: 'canRestore' | 'canPurge') =>
  ({ count, sample }: TrashContext): boolean =>
    count > 0 && sample.every((item) => item[property]);

/** All actions of the trash, in the order in which they are shown. */
const actionTable = [
  {
    id: 'open',
    icon: FolderOpen,
    keys: ['Enter'],
    places: ['itemMenu'],
    isOffered: (context) => isOne(context) && context.sample[0]?.isDir === true,
    run: ({ model, host }) => {
      const [item] = model.selectedItems();
      if (item) host.open(item);
    },
  },
  {
    id: 'preview',
    icon: Eye,
    keys: ['Space'],
    places: ['selection', 'itemMenu'],
    isOffered: (context) => isOne(context) && context.can.download && isPreviewed(context.sample[0]),
    run: ({ model, host }) => {
      const [item] = model.selectedItems();
      if (item) host.open(item);
    },
  },
  {
    id: 'restore',
    icon: RotateCcw,
    keys: [],
    places: ['selection', 'itemMenu'],
    isOffered: allOf('canRestore'),
    run: restoreHere,
  },
  {
    id: 'restoreTo',
    icon: FolderInput,
    keys: [],
    places: ['selection', 'itemMenu'],
    isOffered: allOf('canRestore'),
    run: restoreTo,
  },
  {
    id: 'download',
    icon: Download,
    keys: ['Mod+S'],
    places: ['itemMenu'],
    isOffered: (context) =>
      isOne(context) && context.can.download && context.sample[0]?.type !== 'invalid_link',
    run: ({ model }) => {
      const [item] = model.selectedItems();
      if (item) downloadItem(item);
    },
  },
  {
    id: 'sameFolder',
    icon: Filter,
    keys: [],
    places: ['itemMenu'],
    isOffered: (context) => {
      const [item] = context.sample;
      return isOne(context) && item !== undefined && ![rootPath, context.below].includes(folderOf(item));
    },
    run: ({ model, showBelow }) => {
      const [item] = model.selectedItems();
      if (item) showBelow(folderOf(item));
    },
  },
  {
    id: 'selectAll',
    icon: SquareCheck,
    keys: ['Mod+A'],
    places: ['listMenu'],
    isOffered: ({ total }) => total > 0,
    run: ({ model }) => model.selectAll(),
  },
  {
    id: 'clearSelection',
    icon: X,
    keys: ['Escape'],
    places: [],
    isOffered: hasSelection,
    run: ({ model }) => model.clearSelection(),
  },
  {
    id: 'search',
    icon: Search,
    keys: ['Mod+F', 'Mod+K', '/'],
    places: [],
    isOffered: () => true,
    run: ({ focusSearch }) => focusSearch(),
  },
  {
    id: 'undo',
    icon: Undo2,
    keys: ['Mod+Z'],
    places: [],
    isOffered: () => true,
    run: ({ host }) => host.undo(),
  },
  {
    id: 'redo',
    icon: Redo2,
    keys: ['Mod+Shift+Z'],
    places: [],
    isOffered: () => true,
    run: ({ host }) => host.redo(),
  },
  {
    id: 'reload',
    icon: RefreshCw,
    keys: [],
    places: ['listMenu'],
    isOffered: () => true,
    run: ({ model }) => void model.reload(),
  },
  {
    id: 'empty',
    icon: Trash2,
    keys: [],
    places: ['listMenu'],
    isDangerous: true,
    isOffered: ({ can, total }) => can.purge && total > 0,
    run: ({ askPurge }) => askPurge({ kind: 'all' }),
  },
  {
    id: 'purge',
    icon: Trash2,
    keys: ['Delete', 'Shift+Delete'],
    places: ['selection', 'itemMenu'],
    isDangerous: true,
    isOffered: allOf('canPurge'),
    run: ({ model, askPurge }) => {
      const items = model.selectedItems();
      if (items.length > 0) askPurge({ kind: 'items', items });
    },
  },
] as const satisfies readonly TrashActionEntry[];

export type TrashActionId = (typeof actionTable)[number]['id'];
export type TrashAction = TrashActionEntry & { readonly id: TrashActionId };
export const trashActions: readonly TrashAction[] = actionTable;

/** Every action by its id, bound to one trash. */
export type TrashCommands = Readonly<Record<TrashActionId, () => void>>;

/** Binds the actions to the trash that `targets` returns when one is run. */
export const bindTrashActions = (targets: () => TrashTargets): TrashCommands =>
  Object.fromEntries(trashActions.map(({ id, run }) => [id, () => run(targets())])) as TrashCommands;

/** Returns the available actions at `place`, in order. */
export const trashActionsAt = (place: TrashPlace, context: TrashContext): readonly TrashAction[] =>
  trashActions.filter((action) => action.places.includes(place) && action.isOffered(context));

/** Returns the current state that decides which actions are available. */
export function readTrashContext(model: TrashModel, { user }: TrashHost): TrashContext {
  const count = model.selectedCount;
  return {
    can: user.perm,
    count,
    sample: count > maxSample ? [] : model.selectedItems(),
    total: model.count,
    below: model.filter.below,
  };
}

/** Whether an item opens in the previewer. */
export const isPreviewed = (item: TrashItem | undefined): boolean =>
  item !== undefined && !item.isDir && item.type !== 'invalid_link';

/** Keys that the list handles itself, since they depend on its cursor. */
const keysOfList: ReadonlySet<string> = new Set(['Enter', 'Space']);

/** Whether a key press asks to delete selected items forever that the user may not delete. */
export const isDeniedPurge = (event: Keystroke, context: TrashContext): boolean =>
  hasSelection(context) &&
  trashActions.some(
    ({ id, keys, isOffered }) =>
      id === 'purge' && keys.some((key) => isShortcut(event, key)) && !isOffered(context),
  );

/** Returns the action of a key press, or null. */
export function trashActionForKey(event: Keystroke, context: TrashContext): TrashAction | null {
  const action = trashActions.find(({ keys }) =>
    keys.some((key) => !keysOfList.has(key) && isShortcut(event, key)),
  );
  return action?.isOffered(context) ? action : null;
}
