import type { SharedScopeRoot } from '../disk/paths/shared-scope-root.ts';
import type { ContainerName } from './container.ts';

/** A file or folder that is packed. */
export interface PackMember {
  /** Names from the root of the scope. */
  readonly names: readonly string[];
  /** Its name in the archive, with `/` between the parts; empty when only the contents of the folder are packed. */
  readonly name: string;
}

/** A job of a packing worker. The root of the scope stays open until the worker sends `end`. */
export interface PackJob {
  readonly id: number;
  readonly scopeRoot: SharedScopeRoot;
  readonly members: readonly PackMember[];
  readonly container: ContainerName;
  /** Whether the main thread has to check each entry. */
  readonly isGuarded: boolean;
  /** One 32-bit word; anything but 0 stops the work. */
  readonly stop: SharedArrayBuffer;
  /** Buffers to be filled, of one size. */
  readonly blocks: readonly ArrayBuffer[];
}

/** A question about an entry, sent before it is opened. */
export interface Question {
  /** The index of the member, and the names below it. */
  readonly member: number;
  readonly below: readonly string[];
  /** The real path: names from the root of the scope, links resolved. */
  readonly real: readonly string[];
}

/** A message to a worker. */
export type PackRequest =
  | { readonly kind: 'start'; readonly job: PackJob }
  /** `refused` are positions in the questions. */
  | { readonly kind: 'answer'; readonly id: number; readonly refused: readonly number[] }
  | { readonly kind: 'stop'; readonly id: number }
  /** A block that may be filled again. */
  | { readonly kind: 'block'; readonly id: number; readonly block: ArrayBuffer };

/** A message of a worker: blocks and questions, `failed` at any time, and `end` once, as the last message. */
export type PackMessage = { readonly id: number } & (
  | { readonly kind: 'block'; readonly block: ArrayBuffer; readonly length: number }
  | { readonly kind: 'ask'; readonly questions: readonly Question[] }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'end' }
);
