import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { TreeScan } from '../storage/disk/scan/open-scan.ts';
import type {
  FilesPosition,
  FilesResponse,
  FindRequest,
  FindResponse,
  FolderFiles,
  MapResponse,
  TotalsResponse,
} from './catalogue-protocol.ts';

/** The options of the catalogue. */
export type CatalogueOptions = Pick<
  Config,
  'hasCatalogue' | 'catalogueEntries' | 'catalogueBudget' | 'scansNetwork' | 'sweepIntervalMs' | 'data'
>;

/** The parts of the server that the catalogue uses. */
export interface CatalogueParts {
  readonly scan: TreeScan;
  readonly options: CatalogueOptions;
  /** A string of all options that decide which entries are in the catalogue, such as excluded paths. */
  readonly rules: string;
  /** Called when entries of {@link Catalogue.reportInodes} are in a folder that was read. */
  readonly onMarked?: (folder: VirtualPath, names: readonly string[]) => void;
  /** Called with folders whose documents or folders have changed, as paths without a leading slash; with null when any may have changed. */
  readonly onChanged?: ((folders: readonly string[] | null) => void) | undefined;
  /** Called with a rename or move that this server has made. */
  readonly onMoved?: ((from: VirtualPath, to: VirtualPath) => void) | undefined;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>;
}

/** A search in the catalogue; see {@link FindRequest}. */
export type CatalogueFind = Omit<FindRequest, 'kind' | 'id' | 'stop' | 'now'> & {
  readonly signal: AbortSignal;
};

/**
 * The catalogue of all names, sizes and times below the served folder, in a thread of its own. Never a source of truth: every
 * access to files goes through a storage.
 */
export interface Catalogue {
  /** Whether it answers requests: it is switched on, and its threads have not failed. */
  readonly isOn: boolean;
  /** Must be called for each request of a signed-in user: the disk is read only while a user is active. */
  recordActivity(): void;
  /** Searches below a folder. Null when the catalogue is off. */
  find(search: CatalogueFind): Promise<FindResponse | null>;
  /** The sizes of a folder and of the folders in it. Null when the catalogue is off. */
  totals(visible: VisiblePart): Promise<TotalsResponse | null>;
  /** The largest entries of a folder. Null when the catalogue is off. */
  map(
    visible: VisiblePart,
    options: { readonly depth: number; readonly limit: number },
  ): Promise<MapResponse | null>;
  /** A part of the list of all documents. Null when the catalogue is off. */
  files(from: FilesPosition | null): Promise<FilesResponse | null>;
  /** The documents directly in folders, which are paths without a leading slash. Null when the catalogue is off. */
  filesIn(folders: readonly string[]): Promise<readonly FolderFiles[] | null>;
  /**
   * Whether all changes that the catalogue was notified of, and all that it has noticed, have been read and reported with `onChanged`. True
   * when it is off.
   */
  isSettled(): Promise<boolean>;
  /** Announces a change that the catalogue will be notified of: it is not settled until the returned function has been called. */
  expectChange(): () => void;
  /** Reads folders again that may have changed, with `isDeep` including everything below them. */
  changed(places: readonly VirtualPath[], options?: { readonly isDeep?: boolean }): void;
  /** Reads entries of a folder again that may have been created, changed or removed. */
  changedNames(folder: VirtualPath, names: readonly string[]): void;
  /** Records that an entry was renamed or moved. */
  moved(from: VirtualPath, to: VirtualPath): void;
  /** Sets the inodes, as decimal digits, whose entries are reported wherever they are read. */
  reportInodes(inodes: ReadonlySet<string>): void;
  /** The case sensitivity of the file systems of the served folder. */
  readonly letterCases: VisiblePart['letterCases'];
  /** Saves the catalogue and ends its threads. */
  close(): Promise<void>;
}
