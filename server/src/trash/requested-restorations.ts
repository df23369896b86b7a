import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type {
  RequestedRestoration,
  RestorationRepository,
  RestorationResult,
} from '../database/restoration-repository.ts';

/** The interval at which the database is checked for requests (milliseconds). */
const checkMs = 1_000;

/** The dependencies of {@link RequestedRestorations}. */
export interface RequestedRestorationParts {
  readonly repository: RestorationRepository;
  /** Restores a deleted entry or a version. */
  readonly restore: (request: RequestedRestoration) => Promise<RestorationResult>;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'error'>;
}

/** Performs the restorations that the command line requests while the server is running. */
export class RequestedRestorations {
  readonly #parts: RequestedRestorationParts;
  #stop: (() => void) | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: RequestedRestorationParts) {
    this.#parts = parts;
  }

  /** Begins to check for requests. */
  start(): void {
    this.#stop = this.#parts.clock.every(checkMs, () => void this.run());
  }

  /** Performs all requests. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { repository, restore, log } = this.#parts;
    try {
      for (const request of await repository.waiting()) {
        const result = await restore(request).catch((error: unknown): RestorationResult => {
          log.error(
            { err: error, item: request.keptId },
            'a restoration requested on the command line failed',
          );
          return { failure: `${request.keptId}: internal error; see the log of the server` };
        });
        await repository.setResult(request.id, result);
        log.info(
          { item: request.keptId, ...result },
          'a restoration requested on the command line has ended',
        );
      }
    } catch (error) {
      log.error({ err: error }, 'the restorations requested on the command line could not be read');
    }
  }

  /** Stops the checks, and waits for the restoration that is running. */
  async close(): Promise<void> {
    this.#stop?.();
    await this.#running;
  }
}
