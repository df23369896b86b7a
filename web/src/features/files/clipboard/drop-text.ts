import { pluralValues } from '../../../i18n/format.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The effect of a drop, for its description. */
export interface DropSummary {
  readonly kind: 'move' | 'copy' | 'upload';
  /** The number of entries or files; 0 if the browser does not report it before the drop. */
  readonly count: number;
  /** The name of the folder, isolated for a sentence. */
  readonly folder: string;
}

/** Returns the sentence that says what a drop does. */
export function dropText({ kind, count, folder }: DropSummary): string {
  if (kind === 'upload' && count === 0) return i18n.t('listing:drop.uploadSome', { folder });
  return i18n.t(`listing:drop.${kind}`, { ...pluralValues(count), folder });
}

/** Returns the number of dragged files; 0 if the browser does not report it before the drop. */
export const draggedFileCount = (data: DataTransfer | null): number =>
  Array.from(data?.items ?? []).filter(({ kind }) => kind === 'file').length;
