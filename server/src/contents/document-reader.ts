import { nameOf, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { FastifyBaseLogger } from 'fastify';
import { forEachConcurrently } from '../scheduling/for-each-concurrently.ts';
import type { Storage } from '../storage/storage.ts';
import type {
  DocumentBytes,
  ExtractResponse,
  FileState,
  PendingDocument,
  ToContents,
} from './contents-protocol.ts';
import { Extractor, ExtractorDied } from './extractor.ts';
import { readDocument } from './read-document.ts';

/** The processor time for a document, or for small texts that are read together, in milliseconds. */
const maxReadMs = 10_000;
/** The number of files that are read concurrently; more would delay the requests of users. */
const filesAtOnce = 2;

/** A document whose file was read. */
export interface ReadFile extends DocumentBytes {
  readonly document: PendingDocument;
  /** The state in which it was read. */
  readonly state: FileState;
}

/** The parts of the server that reading documents uses. */
export interface DocumentReaderParts {
  /** The served folder. */
  readonly storage: Storage;
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/** Reads documents in the background, and sends their texts to the index. */
export class DocumentReader {
  readonly #parts: DocumentReaderParts;
  readonly #send: (message: ToContents, transferred?: ArrayBuffer[]) => void;
  readonly #extractor = new Extractor(true);
  #isClosed = false;

  /** @param send sends a message to the thread of the index */
  constructor(parts: DocumentReaderParts, send: (message: ToContents, transferred?: ArrayBuffer[]) => void) {
    this.#parts = parts;
    this.#send = send;
  }

  /** Reads the files of documents. Those that are no longer documents are reported to the index. */
  async open(documents: readonly PendingDocument[]): Promise<ReadFile[]> {
    const files: ReadFile[] = [];
    await forEachConcurrently(documents, filesAtOnce, async (document) => {
      const found = await readDocument(this.#parts.storage, `/${document.path}` as VirtualPath);
      if (found.kind === 'read') files.push({ document, ...found });
      else if (found.kind === 'gone') this.#send({ kind: 'gone', document });
      else if (found.kind === 'damaged') this.#leaveAlone(document, 'the disk cannot read it');
      else this.#send({ kind: 'store', document, text: null, read: found.state ?? document });
    });
    return files;
  }

  /** Sends the texts of documents to the index. */
  async extract(files: readonly ReadFile[]): Promise<void> {
    if (files.length === 0) return;
    const documents = files.map(({ bytes, format }) => ({ bytes, format }));
    let response: ExtractResponse;
    try {
      response = await this.#extractor.run({ kind: 'texts', documents }, maxReadMs);
    } catch (error) {
      if (!(error instanceof ExtractorDied)) throw error;
      if (this.#isClosed) return;
      const [only, ...others] = files.map(({ document }) => document);
      if (only === undefined || others.length > 0) return this.#extractEach(files);
      return this.#leaveAlone(only, error.message);
    }
    const texts = response.kind === 'texts' ? response.texts : [];
    for (const [i, { document, state }] of files.entries()) {
      const text = texts[i] ?? null;
      this.#send({ kind: 'store', document, text, read: state }, text === null ? [] : [text.buffer]);
    }
  }

  #leaveAlone(document: PendingDocument, reason: string): void {
    const file = nameOf(`/${document.path}` as VirtualPath);
    this.#parts.log.info({ file, reason }, 'a document could not be read');
    this.#send({ kind: 'failed', document });
  }

  /** Reads and extracts documents one after the other: one of them needs too much time or memory. */
  async #extractEach(files: readonly ReadFile[]): Promise<void> {
    for (const { document } of files) await this.extract(await this.open([document]));
  }

  /** Ends the thread. */
  close(): void {
    this.#isClosed = true;
    this.#extractor.close();
  }
}
