import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];

/**
 * The logger of one request, which adds its id to each line. The child logger is created with the first line, because
 * most requests write none.
 */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #created: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #child(): FastifyBaseLogger {
    this.#created ??= this.#parent.child(this.#bindings);
    return this.#created;
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent', line: unknown[]): void {
    Reflect.apply(this.#child[level], this.#child, line);
  }

  get level(): FastifyBaseLogger['level'] {
    return this.#parent.level;
  }
  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }
  error(...line: unknown[]): void {
    this.#write('error', line);
  }
  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }
  info(...line: unknown[]): void {
    this.#write('info', line);
  }
  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }
  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }
  silent(...line: unknown[]): void {
    this.#write('silent', line);
  }
  child(...parameters: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#child.child(...parameters);
  }
}

/** Creates the logger of a request, as the framework's `childLoggerFactory`. */
export const createRequestLogger = (logger: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger =>
  new RequestLogger(logger, bindings);
