import type { EntryType } from '@filestead/contract/files';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FindQuery } from '../catalogue/query/parse-find.ts';
import type { CatalogueTarget } from '../catalogue/resolve-target.ts';
import type { EntryKind } from '../storage/storage.ts';
import type { FolderMarks } from './folder-marks.ts';

/** Functions of other features that present entries. */
export interface FindViews {
  readonly typeOf: (kind: EntryKind, name: string, size: number) => EntryType;
  /** Formats Unix milliseconds. */
  readonly formatModified: (timeMs: number) => string;
}

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
  readonly views: FindViews;
}
