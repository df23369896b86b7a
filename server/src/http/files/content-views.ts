import type { EntryType } from '@filestead/contract/files';
import type { RequestedPath, VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { PreviewSize } from '@filestead/contract/previews';
import type { Sorting } from '@filestead/contract/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserContext } from '../../access/user-context.ts';
import type { Entry, EntryKind, Storage } from '../../storage/storage.ts';

/** A request for an entry of a storage that does not contain the user's own files, such as a share or an archive. */
export interface ContentRequest {
  /** Narrowed to the user or visitor. */
  readonly storage: Storage;
  readonly requested: RequestedPath;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A request whose signal, an event target with maps of its own, is created only if it is needed. */
interface LazySignal {
  readonly getSignal: () => AbortSignal;
}

/** A request for the bytes of a file, or for an archive of folders and files. */
export interface RawRequest extends ContentRequest, LazySignal {
  readonly query: {
    readonly inline?: string | undefined;
    readonly files?: string | undefined;
    readonly algo?: string | undefined;
  };
  /** The name of the storage's root in the name of an archive. */
  readonly rootName: string;
}

/**
 * Calls `work` with the content of a version of the file at `path`. Throws `not_found` if the file has no such version, or the
 * user may not see it.
 */
export type WithVersion = (
  wanted: { readonly userContext: UserContext; readonly path: VirtualPath; readonly id: string },
  work: (
    content: Pick<ContentRequest, 'storage' | 'requested'> & { readonly rootName: string },
  ) => Promise<void>,
) => Promise<void>;

/** Returns how content that nobody can change, such as that of an archive, is presented to a user: as JSON, in their sorting. */
export const readOnlyOptions = ({ user: { sorting, perm } }: UserContext) => ({
  sorting,
  canModify: false,
  canDownload: perm.download,
  checksum: '',
  accept: undefined,
});

/** The functions that present entries as listings do. They are passed to other features, because features do not import each other. */
export interface EntryViews {
  /** Returns the type of an entry, by its kind, name and size in bytes. */
  readonly typeOf: (kind: EntryKind, name: string, size: number) => EntryType;
  /** Formats Unix milliseconds in the server's time zone. */
  readonly formatModified: (timeMs: number) => string;
}

/** A request that replaces the content of a file. */
export interface SaveRequest {
  readonly userContext: UserContext;
  readonly requested: RequestedPath;
  readonly content: AsyncIterable<Uint8Array>;
  /** Announced length in bytes; 0 when unknown. */
  readonly announcedBytes: number;
  /** The `If-Match` header. */
  readonly ifMatch: string | undefined;
  readonly signal: AbortSignal;
  /** Receives the headers of the operation and of the new version. */
  readonly reply: FastifyReply;
}

/** Saves a file for a request: with its hooks, its operation, and the former state as a version. Returns the saved file. */
export type SaveContent = (save: SaveRequest) => Promise<Entry>;

/** The functions that send files and folders. They are passed to other features, because features do not import each other. */
export interface ContentViews {
  /** Sends a file's details or a folder's listing. */
  readonly presentResource: (
    options: ContentRequest & {
      readonly signal: AbortSignal;
      /** The name of the storage's root. */
      readonly rootName: string;
      /** The path of the response, if it differs from the requested one. */
      readonly shownPath?: string;
      readonly sorting: Sorting;
      readonly canModify: boolean;
      readonly canDownload: boolean;
      /** Whether the text of a text file is sent with its details. The default is true. */
      readonly withContent?: boolean;
      /** Name of a checksum algorithm, or empty. */
      readonly checksum: string;
      /** The `Accept` header. */
      readonly accept: string | undefined;
      /** Token of a protected share. */
      readonly token?: string;
      /** Expiry of a share, in Unix seconds. */
      readonly expire?: number;
    },
  ) => Promise<void>;
  /** Sends one file (inline or as attachment, with ranges and conditional requests), or an archive. */
  readonly sendRaw: (options: RawRequest) => Promise<void>;
  /** Sends a preview. */
  readonly sendPreview: (
    options: ContentRequest & LazySignal & { readonly size: PreviewSize; readonly isInline: boolean },
  ) => Promise<void>;
}
