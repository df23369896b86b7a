import type { ActionContext, ActionEntry, ActionPlace, ActionTargets } from './action.ts';
import { entryActions, removalActions } from './entry-actions.ts';
import { folderActions } from './folder-actions.ts';

/** All actions of the files screen, in the order in which they are shown. A new action is one entry in a list and its text. */
const actionTable = [...entryActions, ...folderActions, ...removalActions] as const;

export type ActionId = (typeof actionTable)[number]['id'];
export type FileAction = ActionEntry & { readonly id: ActionId };
export const fileActions: readonly FileAction[] = actionTable;

/** Every action by its id, bound to one folder. */
export type FolderCommands = Readonly<Record<ActionId, () => void>>;

/** Binds the actions to the folder that `targets` returns when one is run. */
export const bindActions = (targets: () => ActionTargets): FolderCommands =>
  Object.fromEntries(fileActions.map(({ id, run }) => [id, () => run(targets)])) as FolderCommands;

/** Returns the available actions at `place`, in order. */
export const actionsAt = (place: ActionPlace, context: ActionContext): readonly FileAction[] =>
  // No action is available for an empty selection.
  place === 'selection' && context.count === 0
    ? []
    : fileActions.filter((action) => action.places.includes(place) && action.isOffered(context));

/** Returns the available actions that create or upload entries. */
export const creatingActions = (context: ActionContext): readonly FileAction[] => [
  ...actionsAt('uploadMenu', context),
  ...actionsAt('newMenu', context),
];
