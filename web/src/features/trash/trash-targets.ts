import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { TrashItem } from '@filestead/contract/endpoints/trash';
import type { TrashHost } from './trash-host.ts';
import type { TrashModel } from './trash-model.ts';

/** The items that the user wants to delete forever: some, or everything that the user may delete. */
export type PurgeQuestion =
  | { readonly kind: 'items'; readonly items: readonly TrashItem[] }
  | { readonly kind: 'all' };

/** An item that was in a folder that is in the trash too. */
export interface ParentQuestion {
  readonly item: TrashItem;
  readonly parentId: string;
}

/** The trash and the application around it. */
export interface RestoreTargets {
  readonly model: TrashModel;
  readonly host: TrashHost;
}

/** The trash that an action works on. */
export interface TrashTargets extends RestoreTargets {
  readonly askPurge: (question: PurgeQuestion) => void;
  readonly askParent: (question: ParentQuestion) => void;
  readonly focusSearch: () => void;
  /** Shows only what was below a folder. */
  readonly showBelow: (folder: VirtualPath) => void;
}
