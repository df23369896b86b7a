import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startWorkerScript } from '../programs/worker-script.ts';
import type { ScanThread } from '../storage/disk/scan/open-scan.ts';
import type { CatalogueParts } from './catalogue.ts';
import type { FromCatalogue, ToCatalogue } from './catalogue-protocol.ts';

/** The name of the catalogue file in the data folder. */
const catalogueFileName = 'catalogue';

/** The catalogue is outside of the heap of its thread, whose new objects are small and short-lived. */
const catalogueLimits = { maxYoungGenerationSizeMb: 6 };

/** A message about the catalogue that is not the response to a request. */
export type CatalogueReport = Extract<FromCatalogue, { kind: 'state' | 'marked' | 'changed' }>;

/** The response to a request. */
export type CatalogueResponse = Exclude<FromCatalogue, CatalogueReport>;

/** The handlers of {@link CatalogueThreads.start}. */
export interface ThreadHandlers {
  readonly onReport: (report: CatalogueReport) => void;
  /** Called when a thread ends without having been asked to. */
  readonly onEnd: (error: Error) => void;
}

/** The two threads of a catalogue, one with the entries and one that reads the disk, and the requests in progress. */
export class CatalogueThreads {
  /** The number of the served folder, see `TreeScan.check`. */
  readonly generation: number;
  readonly #worker: Worker;
  readonly #scan: ScanThread;
  readonly #pending = new Map<number, (response: CatalogueResponse | null) => void>();
  #nextId = 1;

  private constructor(worker: Worker, scan: ScanThread, generation: number) {
    this.#worker = worker;
    this.#scan = scan;
    this.generation = generation;
  }

  /** Starts both threads. Throws when the served folder is unavailable. */
  static async start(
    { scan, options, rules, onChanged }: CatalogueParts,
    generation: number,
    { onReport, onEnd }: ThreadHandlers,
  ): Promise<CatalogueThreads> {
    const thread = await scan.start(options.catalogueBudget, onEnd);
    const source = new URL('./catalogue-worker.ts', import.meta.url);
    const worker = startWorkerScript('catalogue-worker', source, undefined, catalogueLimits);
    const threads = new CatalogueThreads(worker, thread, generation);
    worker.on('message', (message: FromCatalogue) => threads.#onMessage(message, onReport));
    worker.on('error', onEnd);
    worker.on('exit', (code) => onEnd(new Error(`catalogue-worker ended with exit code ${code}`)));
    worker.postMessage(
      {
        kind: 'start',
        scan: thread.port,
        source: { rootId: thread.rootId, rules },
        file: join(options.data, catalogueFileName),
        maxEntries: options.catalogueEntries,
        reportsChanges: onChanged !== undefined,
        maxWatches: thread.maxWatches,
      } satisfies ToCatalogue,
      [thread.port],
    );
    return threads;
  }

  /** Whether requests are in progress. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Sends a message that has no response. */
  send(message: ToCatalogue): void {
    this.#worker.postMessage(message, []);
  }

  /** Sends a request and returns its response; null if the threads end before it. */
  request(requestOf: (id: number) => ToCatalogue): Promise<CatalogueResponse | null> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#pending.set(id, resolve);
      this.send(requestOf(id));
    });
  }

  /** Saves the catalogue. */
  async save(): Promise<void> {
    await this.request((id) => ({ kind: 'save', id }));
  }

  /** Ends the threads. Requests in progress get null. */
  async end(): Promise<void> {
    this.#worker.removeAllListeners();
    this.#worker.on('error', () => undefined);
    await Promise.all([this.#worker.terminate(), this.#scan.close()]);
    for (const resolve of this.#pending.values()) resolve(null);
    this.#pending.clear();
  }

  #onMessage(message: FromCatalogue, onReport: (report: CatalogueReport) => void): void {
    if (message.kind === 'state' || message.kind === 'marked' || message.kind === 'changed')
      return onReport(message);
    this.#pending.get(message.id)?.(message);
    this.#pending.delete(message.id);
  }
}
