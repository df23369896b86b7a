import { type ConnectionParts, LiveConnection } from './live-connection.ts';
import type { LiveRequest, LiveUpdate } from './live-messages.ts';

/** A page that uses the connection. */
interface Page {
  readonly send: (update: LiveUpdate) => void;
  readonly paths: Set<string>;
  followsJobs: boolean;
  isVisible: boolean;
}

/** Options of {@link LiveHub}. */
export interface HubOptions extends Pick<ConnectionParts, 'openEvents' | 'fetch'> {
  /** Whether the stream is closed while no page is visible, where pages cannot share one. */
  readonly pausesWhenHidden: boolean;
}

/** Shares one connection among pages: in a shared worker among those of a browser, otherwise within one page. */
export class LiveHub {
  readonly #pages = new Set<Page>();
  readonly #connection: LiveConnection;
  readonly #pausesWhenHidden: boolean;

  constructor({ pausesWhenHidden, ...parts }: HubOptions) {
    this.#pausesWhenHidden = pausesWhenHidden;
    this.#connection = new LiveConnection({
      ...parts,
      emit: (update) => this.#emit(update),
      isVisible: () => this.#isVisible(),
    });
  }

  /** Adds a page. Returns the function that receives its requests. */
  connect(send: (update: LiveUpdate) => void): (request: LiveRequest) => void {
    const page: Page = { send, paths: new Set(), followsJobs: false, isVisible: true };
    this.#pages.add(page);
    return (request) => this.#receive(page, request);
  }

  #receive(page: Page, request: LiveRequest): void {
    // A page that was kept in the background has become active again.
    this.#pages.add(page);
    switch (request.kind) {
      case 'setup':
        return this.#connection.setAddresses(request.addresses);
      case 'token':
        return this.#connection.setToken(request.token);
      case 'visible':
        page.isVisible = request.isVisible;
        return this.#update();
      case 'jobs':
        return this.#followJobs(page, request.isFollowed);
      case 'follow':
        page.paths.add(request.path);
        this.#update();
        return this.#connection.follow(request.path, request.version);
      case 'unfollow':
        return this.#unfollow(page, request.path);
      case 'leave': {
        this.#pages.delete(page);
        for (const path of page.paths) this.#unfollow(page, path);
        page.followsJobs = false;
        return this.#update();
      }
    }
  }

  /** A page that begins to follow jobs gets those that the open stream has already reported. */
  #followJobs(page: Page, isFollowed: boolean): void {
    page.followsJobs = isFollowed;
    this.#update();
    if (!isFollowed) return;
    for (const data of this.#connection.jobs) page.send({ kind: 'jobs', event: { event: 'job', data } });
  }

  #unfollow(page: Page, path: string): void {
    page.paths.delete(path);
    if (![...this.#pages].some(({ paths }) => paths.has(path))) this.#connection.unfollow(path);
    this.#update();
  }

  #isVisible(): boolean {
    return [...this.#pages].some(({ isVisible }) => isVisible);
  }

  #update(): void {
    const isNeeded = [...this.#pages].some(({ paths, followsJobs }) => followsJobs || paths.size > 0);
    this.#connection.setNeeded(isNeeded && (!this.#pausesWhenHidden || this.#isVisible()));
  }

  #emit(update: LiveUpdate): void {
    for (const page of this.#pages) {
      const isConcerned =
        update.kind === 'jobs'
          ? page.followsJobs
          : page.paths.has(update.kind === 'changes' ? update.changes.path : update.path);
      if (isConcerned) page.send(update);
    }
  }
}
