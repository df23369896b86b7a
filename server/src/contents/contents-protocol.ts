import type { VisiblePart } from '../access/rules/visible-part.ts';
import type { FileColumns, FolderFiles } from '../catalogue/catalogue-protocol.ts';
import type { FindQuery } from '../catalogue/query/parse-find.ts';
import type { DocumentFormat } from '../media-types/document-format.ts';
import type { ContentQuery, ContentTerm } from './index/content-query.ts';
import type { Snippet } from './index/make-snippet.ts';

/** The time and size of a file, by which a change is noticed. */
export interface FileState {
  /** Bytes. */
  readonly size: number;
  /** Unix seconds. */
  readonly time: number;
}

/** A document that has to be read. */
export interface PendingDocument extends FileState {
  readonly id: number;
  /** From the served folder, without a leading slash. */
  readonly path: string;
}

/** A search in the index. */
export interface ContentFind {
  readonly visible: VisiblePart;
  readonly content: ContentQuery;
  /** Restricts the files by their names, sizes and times. */
  readonly filters: FindQuery;
  /** The real path of a folder to which the search is restricted; null without one. */
  readonly within: string | null;
  /** The paths below the folder to which the search is restricted; null without a restriction. */
  readonly only: readonly string[] | null;
  readonly limit: number;
}

/** A message to the thread of the index. Those with an `id` are answered. */
export type ToContents =
  | { readonly kind: 'open'; readonly file: string; readonly root: string }
  /** A part of the list of all documents. `isFirst` begins a list; after `isLast` all documents that were not in it are removed. */
  | {
      readonly kind: 'files';
      readonly files: FileColumns;
      readonly isFirst: boolean;
      readonly isLast: boolean;
    }
  | { readonly kind: 'folders'; readonly folders: readonly FolderFiles[] }
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  /** Asks for the next documents to read. `isFirst`: those that were asked for before are no longer being read. */
  | { readonly kind: 'next'; readonly id: number; readonly isFirst: boolean }
  /** The folded text of a document in UTF-8, and the state in which it was read; no text if it has none. */
  | {
      readonly kind: 'store';
      readonly document: PendingDocument;
      readonly text: Uint8Array | null;
      readonly read: FileState;
    }
  /** The document needs too much time or memory, or the disk cannot read it. */
  | { readonly kind: 'failed'; readonly document: PendingDocument }
  /** The document no longer exists. */
  | { readonly kind: 'gone'; readonly document: PendingDocument }
  | {
      readonly kind: 'find';
      readonly id: number;
      readonly find: ContentFind;
      readonly stop: SharedArrayBuffer;
    }
  | { readonly kind: 'close'; readonly id: number };

/** A file whose content matches, and its state when it was read. */
export interface ContentRow extends FileState {
  /** From the searched folder, without a leading slash. */
  readonly path: string;
}

/** The response to a search. */
export interface ContentFound {
  readonly rows: readonly ContentRow[];
  readonly hasMore: boolean;
  /** The fraction of the documents that have been read, from 0 to 1. */
  readonly progress: number;
}

/** A response of the thread of the index. */
export type FromContents =
  /** Several small texts, or one other document; none when all have been read. */
  | { readonly kind: 'next'; readonly id: number; readonly documents: readonly PendingDocument[] }
  | ({ readonly kind: 'found'; readonly id: number } & ContentFound)
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** The index cannot be used, such as on a full disk. A damaged one has to be built again. */
  | { readonly kind: 'unusable'; readonly message: string; readonly isDamaged: boolean };

/** A document whose text is asked for. */
export interface DocumentBytes {
  /** Transferred if they are a buffer of their own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: DocumentFormat;
}

/** A request to a thread that reads documents. */
export type ExtractRequest =
  /** Asks for the texts of documents in the form of the index. */
  | { readonly kind: 'texts'; readonly documents: readonly DocumentBytes[] }
  /**
   * Asks for a part of the document around the terms. `key` identifies the state of the file; without bytes the thread uses the text
   * that it has kept under it.
   */
  | {
      readonly kind: 'snippet';
      readonly key: string;
      readonly bytes: Uint8Array<ArrayBuffer> | null;
      readonly format: DocumentFormat;
      readonly terms: readonly ContentTerm[];
    };

/** The first message of a thread that reads documents. */
export interface ExtractorStarted {
  readonly kind: 'started';
  /** The number of the thread for `threadTimeMs`; null where there is none. */
  readonly thread: number | null;
}

/** The response of a thread that reads documents. */
export type ExtractResponse =
  /** For each document its text in UTF-8; null if it has none. */
  | { readonly kind: 'texts'; readonly texts: readonly (Uint8Array<ArrayBuffer> | null)[] }
  /** Null if the text is not known and there were no bytes. */
  | { readonly kind: 'snippet'; readonly snippet: Snippet | null };
