import { test as base, expect, type BrowserContext } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct, type Product } from './product.ts';

/** What no journey may meet. Troubles that a test provokes on purpose are named with `allow`. */
export class Troubles {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  /** Messages like `pattern` are meant to come. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** All unexpected ones so far. */
  get list(): readonly string[] {
    return this.#found.filter((message) => !this.#allowed.some((pattern) => pattern.test(message)));
  }

  /** Watches all pages of `context`, which shall talk to `origin` only. */
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
        this.#found.push(`request to a stranger: ${url}`);
      }
      if (jsonWebToken.test(decodeURIComponent(url))) this.#found.push(`token in an address: ${url}`);
    });
  }
}

/** The beginning of `{"` in base64url, twice, with a dot between (RFC 7519). */
const jsonWebToken = /eyJ[\w-]{8,}\.eyJ[\w-]{8,}/u;

/** Keeps one product running in advance, so that a test finds its own already started. */
class Products {
  #spare: { flags: string; product: Promise<Product> } | null = null;

  async #start(flags: readonly string[]): Promise<Product> {
    const root = await mkdtemp(join(tmpdir(), 'filestead-root-'));
    return startProduct(root, { args: [...flags] });
  }

  /** A product that no test has used, with these flags; the next one is started for the same flags. */
  async take(flags: readonly string[]): Promise<Product> {
    const key = JSON.stringify(flags);
    if (this.#spare?.flags !== key) await this.close();
    const product = this.#spare?.product ?? this.#start(flags);
    const next = this.#start(flags);
    // A failure is reported by the test that takes it.
    next.catch(() => undefined);
    this.#spare = { flags: key, product: next };
    return product;
  }

  /** Stops a product and removes the folder that it served. */
  async stop(product: Product): Promise<void> {
    await product.stop();
    await rm(product.root, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    const spare = this.#spare;
    this.#spare = null;
    if (spare) await this.stop(await spare.product);
  }
}

interface WorkerFixtures {
  products: Products;
}

interface Fixtures {
  /** Further flags of the product. */
  flags: string[];
  /** The built product on an empty folder of its own, with a new database; all of it goes at the end. */
  product: Product;
  /** The folder it serves. */
  root: string;
  troubles: Troubles;
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
    const product = await products.take(flags);
    await use(product);
    await products.stop(product);
  },
  root: async ({ product }, use) => use(product.root),
  troubles: [
    async ({ context, product }, use) => {
      const troubles = new Troubles();
      troubles.watch(context, product.url);
      await use(troubles);
      expect(troubles.list, 'no errors in the console, no strangers, no token in an address').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
