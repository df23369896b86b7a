import { test as base, expect, type BrowserContext } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product } from './product.ts';

/**
 * Unexpected events during a test, such as console errors. Those that a test provokes on purpose are allowed with
 * `allow`.
 */
export class PageProblems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  /** Ignores messages that match `pattern`. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Returns all unexpected events so far. */
  get list(): readonly string[] {
    return this.#found.filter((message) => !this.#allowed.some((pattern) => pattern.test(message)));
  }

  /** Watches all pages of `context`, which may send requests to `origin` only. */
  watch(context: BrowserContext, origin: string): void {
    context.on('weberror', (thrown) => this.#found.push(`page error: ${String(thrown.error())}`));
    context.on('console', (message) => {
      const text = `${message.text()} (${message.location().url})`;
      const isSecurityPolicy = text.includes('Content Security Policy');
      if (message.type() === 'error' || isSecurityPolicy) this.#found.push(`console: ${text}`);
    });
    context.on('request', (request) => {
      const url = request.url();
      // The browser's own parts, such as its PDF viewer, have other schemes.
      if (/^(?:https?|wss?):/u.test(url) && new URL(url).origin !== origin) {
        this.#found.push(`request to another origin: ${url}`);
      }
      if (jsonWebToken.test(decodeURIComponent(url))) this.#found.push(`token in an address: ${url}`);
    });
  }
}

/** `{"` in base64url at the beginning of two parts, with a dot between (RFC 7519). */
const jsonWebToken = /eyJ[\w-]{8,}\.eyJ[\w-]{8,}/u;

/** Keeps one product without additional flags running in advance, so that most tests get theirs without waiting. */
class Products {
  #next: Promise<Product> | null = null;

  async #start(flags: readonly string[]): Promise<Product> {
    const root = await mkdtemp(join(tmpdir(), 'filestead-root-'));
    // One decoder of pictures per product: the tests share two processors, and each decoder takes half a second to start.
    return startProduct(root, { args: ['--imageProcessors=1', ...flags] });
  }

  /** Returns an unused product with these flags. One without flags is replaced by the next one. */
  async acquire(flags: readonly string[]): Promise<Product> {
    if (flags.length > 0) return this.#start(flags);
    const product = this.#next ?? this.#start([]);
    this.#next = this.#start([]);
    // A failure is reported by the test that uses it.
    this.#next.catch(() => undefined);
    return product;
  }

  /** Stops a product and removes the folder that it served. */
  async stop(product: Product): Promise<void> {
    await product.stop();
    await rm(product.root, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    const next = this.#next;
    this.#next = null;
    if (next) await this.stop(await next);
  }
}

interface WorkerFixtures {
  products: Products;
}

interface Fixtures {
  /** Additional flags of the product. */
  flags: string[];
  /** The built product on an empty folder of its own, with a new database; everything is removed at the end. */
  product: Product;
  /** The served folder. */
  root: string;
  problems: PageProblems;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  flags: [[], { option: true }],
  products: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads there which fixtures are needed.
    async ({}, use) => {
      const products = new Products();
      await use(products);
      await products.close();
    },
    { scope: 'worker' },
  ],
  product: async ({ flags, products }, use) => {
    const product = await products.acquire(flags);
    await use(product);
    await products.stop(product);
  },
  root: async ({ product }, use) => use(product.root),
  problems: [
    async ({ context, product }, use) => {
      const problems = new PageProblems();
      problems.watch(context, product.url);
      await use(problems);
      // In one line, because the summary of `npm test` shows the first one.
      const expected = 'no errors in the console, no requests to other origins, no token in an address';
      expect(problems.list, [expected, ...problems.list].join('; ')).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
