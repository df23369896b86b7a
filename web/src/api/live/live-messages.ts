import type { FolderChanges, LiveSource } from '@filestead/contract/endpoints/live';
import type { JobEvent } from '@filestead/contract/jobs';

/** The addresses of the endpoints, with the base URL. */
export interface LiveAddresses {
  readonly stream: string;
  /** Followed by a slash and the id of the feed. */
  readonly feeds: string;
  readonly versions: string;
}

/** A message of a page to the shared connection. */
export type LiveRequest =
  | { readonly kind: 'setup'; readonly addresses: LiveAddresses }
  /** The token of the session; null when nobody is signed in. */
  | { readonly kind: 'token'; readonly token: string | null }
  | { readonly kind: 'visible'; readonly isVisible: boolean }
  | { readonly kind: 'follow'; readonly path: string; readonly version: string }
  | { readonly kind: 'unfollow'; readonly path: string }
  | { readonly kind: 'jobs'; readonly isFollowed: boolean }
  /** The page is closed or kept in the background; its folders are no longer followed. */
  | { readonly kind: 'leave' };

/** A message of the shared connection to a page. */
export type LiveUpdate =
  | { readonly kind: 'changes'; readonly changes: FolderChanges }
  | { readonly kind: 'source'; readonly path: string; readonly source: LiveSource }
  | { readonly kind: 'jobs'; readonly event: JobEvent };
