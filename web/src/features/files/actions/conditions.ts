import type { ActionContext } from './action.ts';

/** Whether a link that leads nowhere is selected. */
export const isBroken = ({ sample }: ActionContext): boolean =>
  sample.some(({ type }) => type === 'invalid_link');

/** Whether the selection can be downloaded, or without one the whole folder. */
export const isDownloadable = (context: ActionContext): boolean =>
  context.can.download && (context.count > 0 ? !isBroken(context) : context.hasEntries && context.isFolder);

/** Whether a share can be created: of a single entry, by users who may also download what the share gives access to. */
export const isShareable = (context: ActionContext): boolean =>
  context.can.share && context.can.download && context.count === 1 && !isBroken(context);

/** Whether the selection is a single file, whose former states are kept. */
export const hasVersions = ({ hasTrash, count, sample: [entry] }: ActionContext): boolean =>
  hasTrash && count === 1 && entry !== undefined && !entry.isFolder && entry.type !== 'invalid_link';

/** Whether one entry is selected, or nothing, which means the shown folder. */
export const isSingle = ({ count, isFolder }: ActionContext): boolean =>
  count === 1 || (count === 0 && isFolder);

/** Whether entries can be created in the shown folder. */
export const canCreateHere = ({ can, isFolder }: ActionContext): boolean => isFolder && can.create;

/** Whether archives of this folder can be created and extracted. */
export const canPack = ({ can, isFolder }: ActionContext): boolean => isFolder && can.create && can.download;

/** Whether the entries are shown as tiles, whose size can be changed. */
export const hasTiles = ({ viewMode }: ActionContext): boolean => viewMode !== 'list';

/** Whether one folder is selected, or nothing in a folder. */
export const isOneFolder = ({ isFolder, count, sample: [entry] }: ActionContext): boolean =>
  count === 0 ? isFolder : count === 1 && entry?.isFolder === true;
