import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FindQuery } from '../catalogue/query/parse-find.ts';
import type { CatalogueTarget } from '../catalogue/resolve-target.ts';
import type { EntryViews } from '../http/files/content-views.ts';
import type { FolderMarks } from './folder-marks.ts';

/** The parts of a search that are the same for all endpoints. */
export interface RequestedSearch {
  readonly catalogue: Catalogue;
  readonly target: CatalogueTarget;
  readonly folder: VirtualPath;
  readonly query: FindQuery;
  /** The real path of the open folder; null without one. */
  readonly near: VirtualPath | null;
  readonly marks: FolderMarks;
  readonly signal: AbortSignal;
  readonly views: EntryViews;
}
