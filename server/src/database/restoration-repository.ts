import type { VirtualPath } from '@filestead/contract/paths/virtual-path';

/** A restoration that the command line requests from a running server. */
export interface RequestedRestoration {
  readonly id: number;
  /** A deleted entry or a version. */
  readonly keptId: string;
  /** The folder into which a deleted entry is restored, or the path to which a version is; null for its original path. */
  readonly destination: VirtualPath | null;
}

/** The path of a restored entry, or the reason why it was not restored. */
export type RestorationResult = { readonly path: string } | { readonly failure: string };

/** The restorations that the command line requests from a running server. */
export interface RestorationRepository {
  /** Adds requests; returns their ids in the same order. */
  request(requests: readonly Omit<RequestedRestoration, 'id'>[]): Promise<number[]>;
  /** Returns the requests without a result, in their order. */
  waiting(): Promise<RequestedRestoration[]>;
  setResult(id: number, result: RestorationResult): Promise<void>;
  /** Returns the results of these requests, by id; those without a result are missing. */
  results(ids: readonly number[]): Promise<ReadonlyMap<number, RestorationResult>>;
  remove(ids: readonly number[]): Promise<void>;
}
