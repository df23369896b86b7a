import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import type { BatchFile } from '../../../api/uploads/upload-batch.ts';
import { newUploadKey } from '../tabs/tab-id.ts';
import type { SendOptions } from './upload-transport.ts';

/** Files up to this size, in bytes, are sent together. */
export const smallFileBytes = 64 * 1024;
/** Maximum size of the files of one request: fast enough on slow connections that results arrive every few seconds. */
const maxRequestBytes = 256 * 1024;
/** Maximum number of files of one request. */
const maxRequestFiles = 100;
/** Maximum number of requests at once: while the server stores the files of one, the next is on its way. */
const maxRequests = 3;

type SmallFileOptions = Pick<SendOptions, 'override' | 'signal' | 'onProgress' | 'partial' | 'folder'>;

/** A file that was given to the sender. */
interface WaitingFile {
  readonly path: VirtualPath;
  readonly content: File;
  readonly options: SmallFileOptions;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The functions that send requests. */
interface Requests {
  /** Sends one file alone. */
  sendOne: (
    file: BatchFile,
    folderId: string | null,
    options: Pick<SmallFileOptions, 'signal' | 'onProgress'>,
  ) => Promise<unknown>;
  sendBatch: (
    files: readonly BatchFile[],
    options: {
      folderId: string | null;
      signal: AbortSignal;
      onResult: (index: number, error: ApiError | null) => void;
    },
  ) => Promise<void>;
}

/**
 * Sends small files, several in one request, because a request of its own costs more than the file. To its callers each
 * file is independent: it can be aborted alone, and fails alone. When a file is aborted, its request is, and the others
 * are sent again, without being a conflict with themselves.
 */
export class SmallFileSender {
  readonly #requests: Requests;
  readonly #waiting: WaitingFile[] = [];
  /** The key of each upload that was sent, by the object that belongs to it. */
  readonly #keys = new WeakMap<object, string>();
  #running = 0;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Sends one file. Throws the error of the server, `connection_aborted`, or the abort reason. */
  async send(path: VirtualPath, content: File, options: SmallFileOptions): Promise<void> {
    const { signal, onProgress } = options;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ path, content, options, resolve, reject });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#startSoon();
    });
    onProgress(content.size);
  }

  #keyOf(upload: object): string {
    const existing = this.#keys.get(upload);
    if (existing !== undefined) return existing;
    const key = newUploadKey();
    this.#keys.set(upload, key);
    return key;
  }

  /** Starts requests after the callers of this turn have added their files. */
  #startSoon(): void {
    queueMicrotask(() => {
      while (this.#waiting.length > 0 && this.#running < maxRequests) {
        // While a request is on its way, more files come together for the next one.
        if (this.#running > 0 && this.#waiting.length < maxRequestFiles) return;
        const files = this.#take();
        const [first] = files;
        if (first === undefined) return;
        void this.#run(files.length === 1 ? this.#sendAlone(first) : this.#sendTogether(files));
      }
    });
  }

  async #run(request: Promise<void>): Promise<void> {
    this.#running += 1;
    await request;
    this.#running -= 1;
    this.#startSoon();
  }

  /** Takes the next files, up to the limits of a request. */
  #take(): WaitingFile[] {
    const taken: WaitingFile[] = [];
    let bytes = 0;
    while (taken.length < maxRequestFiles) {
      const next = this.#waiting[0];
      if (next === undefined) break;
      const isAborted = next.options.signal.aborted;
      const isOfFolder = taken.length === 0 || folderIdOf(taken[0]) === folderIdOf(next);
      if (!isAborted && !isOfFolder) break;
      if (!isAborted) bytes += next.content.size;
      if (bytes > maxRequestBytes && taken.length > 0) break;
      this.#waiting.shift();
      if (!isAborted) taken.push(next);
    }
    return taken;
  }

  #toBatchFile({ path, content, options: { override, partial, folder } }: WaitingFile): BatchFile {
    return {
      path,
      content,
      override,
      key: this.#keyOf(partial),
      modifiedMs: content.lastModified,
      folderFile: folder?.file,
    };
  }

  async #sendAlone(file: WaitingFile): Promise<void> {
    const { options, resolve, reject } = file;
    try {
      await this.#requests.sendOne(this.#toBatchFile(file), folderIdOf(file), options);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  async #sendTogether(files: readonly WaitingFile[]): Promise<void> {
    const pending = new Set(files);
    const abort = new AbortController();
    const stopListening = new AbortController();
    for (const { options } of files)
      options.signal.addEventListener('abort', () => abort.abort(), { signal: stopListening.signal });
    const onResult = (index: number, error: ApiError | null): void => {
      const finished = files[index];
      if (finished === undefined || !pending.delete(finished)) return;
      if (error === null) finished.resolve();
      else finished.reject(error);
    };
    try {
      await this.#requests.sendBatch(
        files.map((file) => this.#toBatchFile(file)),
        { folderId: folderIdOf(files[0]), signal: abort.signal, onResult },
      );
      for (const { reject } of pending) reject(new ApiError(0, 'connection_aborted'));
    } catch (error) {
      const rest = [...pending].filter(({ options }) => !options.signal.aborted);
      if (abort.signal.aborted) this.#waiting.unshift(...rest);
      else for (const { reject } of rest) reject(toUploadError(error));
    } finally {
      stopListening.abort();
    }
  }
}

const folderIdOf = (file: WaitingFile | undefined): string | null => file?.options.folder?.id ?? null;

/** Returns the error of an upload: without a response, its connection broke. */
const toUploadError = (error: unknown): unknown =>
  isApiError(error, 'no_connection') ? new ApiError(0, 'connection_aborted', { cause: error }) : error;
