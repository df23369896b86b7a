import { type BuiltPage, startBuiltPage } from '../built-page.ts';

/**
 * The part of the page's model that the tests use; its code is web/src/features/files/listing/model/listing-model.ts.
 */
interface ProbeModel {
  readonly count: number;
  readonly numFolders: number;
  readonly cursor: number | null;
  readonly dragSource: number | null;
  readonly selectedCount: number;
  readonly isSelecting: boolean;
  selectedIds(): number[];
  position(id: number): number | null;
  idAt(position: number): number | null;
  name(id: number): string;
  sort(sorting: { by: 'name' | 'size' | 'modified'; asc: boolean }): void;
  selectOnly(id: number): void;
  clearSelection(): void;
  remove(ids: readonly number[]): void;
  batch(work: () => void): void;
  insert(entry: {
    name: string;
    isFolder: boolean;
    isSymlink: boolean;
    type: '';
    size: number;
    modifiedMs: number;
  }): number;
}

declare global {
  interface Window {
    readonly probe: {
      readonly model: ProbeModel;
      readonly handle: { focus(): void; startRename(id: number): void; reveal(id: number): void } | null;
      readonly calls: readonly { readonly kind: string; readonly [detail: string]: unknown }[];
      reload(): void;
      forget(): void;
      nextFrame(): Promise<number>;
    };
  }
}

/** The listing alone over generated entries; accepts a query such as `?count=100000&view=list&dir=rtl`. */
export type ListingProbe = BuiltPage;

export const startListingProbe = (): Promise<ListingProbe> =>
  startBuiltPage('vite.probe.config.ts', 'listing-probe.html');
