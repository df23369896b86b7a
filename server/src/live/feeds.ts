import { randomBytes } from 'node:crypto';
import type {
  byeReasons,
  FollowedFolder,
  LiveEvent,
  LiveFolders as Request,
} from '@filestead/contract/endpoints/live';
import { parsePath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { User } from '@filestead/contract/users';
import type { UserContext } from '../access/user-context.ts';
import type { Clock } from '../clock.ts';
import { AppError, isAppError } from '../errors.ts';
import type { EventStream } from '../http/response/event-stream.ts';
import type { FolderReference, LiveFolders } from './live-folders.ts';

/** Maximum number of streams of one user; a browser opens one. */
const maxStreamsPerUser = 20;
/** Maximum number of streams of all users. */
const maxStreams = 1_024;
/** The interval at which the permissions of the users of all streams are checked (milliseconds). */
const recheckMs = 1_000;

type ByeReason = (typeof byeReasons)[number];

/** A folder of a feed. */
interface Followed {
  readonly path: VirtualPath;
  readonly reference: FolderReference;
  readonly unsubscribe: () => void;
  /** The version that the client has. */
  version: string | undefined;
  /** The last announced source. */
  source: string;
  isDelivering: boolean;
  isDue: boolean;
}

/** Parses the path of a folder. Throws `bad_request`, `invalid_path`. */
export function parseFolderPath(text: string): VirtualPath {
  if (!text.startsWith('/')) throw new AppError('bad_request', 'path: must begin with a slash');
  return parsePath(text).path;
}

/** The code of an error that concerns one folder. Throws other errors. */
export function folderErrorOf(error: unknown): AppError['code'] {
  if (error instanceof AppError) return error.code;
  throw error;
}

/** The stream of one client, and the folders that it follows. */
export class Feed {
  readonly id = randomBytes(16).toString('base64url');
  readonly userContext: UserContext;
  readonly #stream: EventStream;
  readonly #folders: LiveFolders;
  readonly #visibilityKey: string;
  readonly #followed = new Map<VirtualPath, Followed>();
  /** Resolves when the last {@link setFolders} has ended. */
  #setting: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(userContext: UserContext, stream: EventStream, folders: LiveFolders) {
    this.userContext = userContext;
    this.#stream = stream;
    this.#folders = folders;
    this.#visibilityKey = folders.visibilityKeyOf(userContext.user);
    stream.onDrain(() => this.#deliverAll());
    stream.onClose(() => this.#close());
  }

  /** Sends the first event. */
  open(): void {
    this.#send({ event: 'hello', data: { feed: this.id } });
  }

  /** Ends the stream early. */
  bye(why: ByeReason): void {
    if (this.#isClosed) return;
    this.#send({ event: 'bye', data: { why } });
    this.#stream.close();
  }

  /** Replaces the followed folders; one request after the other. */
  setFolders(request: Request): Promise<FollowedFolder[]> {
    const setting = this.#setting.then(() => this.#setFolders(request));
    this.#setting = setting.catch(() => undefined);
    return setting;
  }

  /**
   * Returns the user as stored now. Ends the stream, and returns null, if that user sees other entries than at its
   * beginning.
   */
  async recheck(): Promise<User | null> {
    try {
      const user = await this.userContext.refresh();
      if (this.#isClosed) return null;
      if (this.#folders.visibilityKeyOf(user) === this.#visibilityKey) return user;
      this.bye('access');
    } catch (error) {
      if (isAppError(error, 'forbidden')) this.bye('access');
      else if (isAppError(error, 'not_signed_in')) this.bye('session');
      // Without the stored user nothing can be sent; the client reconnects.
      else this.#stream.close();
    }
    return null;
  }

  async #setFolders({ folders }: Request): Promise<FollowedFolder[]> {
    const requested = new Map(folders.map(({ path, version }) => [parseFolderPath(path), version]));
    for (const [path, followed] of this.#followed) if (!requested.has(path)) this.#unfollow(followed);
    const user = await this.recheck();
    if (user === null) throw new AppError('not_found');
    return Promise.all([...requested].map(([path, version]) => this.#follow(user, path, version)));
  }

  async #follow(user: User, path: VirtualPath, version: string | undefined): Promise<FollowedFolder> {
    const existing = this.#followed.get(path);
    if (existing !== undefined) {
      if (version !== undefined) existing.version = version;
      void this.#deliver(existing);
      return { path, source: existing.reference.folder.source };
    }
    let reference: FolderReference;
    try {
      reference = await this.#folders.acquire(user, this.#visibilityKey, path);
    } catch (error) {
      return { path, code: folderErrorOf(error) };
    }
    if (this.#isClosed) {
      reference.release();
      throw new AppError('not_found');
    }
    const { folder } = reference;
    const followed: Followed = {
      path,
      reference,
      unsubscribe: folder.subscribe(() => void this.#deliver(followed)),
      version,
      source: folder.source,
      isDelivering: false,
      isDue: false,
    };
    this.#followed.set(path, followed);
    void this.#deliver(followed);
    return { path, source: folder.source };
  }

  #unfollow(followed: Followed): void {
    this.#followed.delete(followed.path);
    followed.unsubscribe();
    followed.reference.release();
  }

  #deliverAll(): void {
    for (const followed of this.#followed.values()) void this.#deliver(followed);
  }

  /** Sends the changes since the version of the client. A client that reads slowly gets them later, all at once. */
  async #deliver(followed: Followed): Promise<void> {
    followed.isDue = true;
    if (followed.isDelivering) return;
    followed.isDelivering = true;
    try {
      while (followed.isDue && this.#canSendTo(followed)) {
        followed.isDue = false;
        if ((await this.recheck()) === null) return;
        await this.#sendChanges(followed);
      }
    } catch (error) {
      // The folder may have been removed; that ends its observation, which is another change.
      if (!(error instanceof AppError)) this.#stream.close();
    } finally {
      followed.isDelivering = false;
    }
  }

  async #sendChanges(followed: Followed): Promise<void> {
    const { folder } = followed.reference;
    if (folder.source !== followed.source) {
      followed.source = folder.source;
      this.#send({ event: 'source', data: { path: followed.path, source: folder.source } });
    }
    const { version, json } = await folder.changesSince(followed.version);
    if (!this.#canSendTo(followed)) return;
    followed.version = version;
    if (json !== null) this.#stream.send('folder' satisfies LiveEvent['event'], json);
  }

  #canSendTo(followed: Followed): boolean {
    return this.#followed.get(followed.path) === followed && !this.#stream.isBlocked;
  }

  #send({ event, data }: LiveEvent): void {
    this.#stream.send(event, JSON.stringify(data));
  }

  #close(): void {
    this.#isClosed = true;
    for (const followed of this.#followed.values()) this.#unfollow(followed);
  }
}

/** The streams of all clients. */
export class Feeds {
  readonly #folders: LiveFolders;
  readonly #feeds = new Map<string, Feed>();
  readonly #streams = new Map<string, EventStream>();
  readonly #stopChecks: () => void;

  constructor(folders: LiveFolders, clock: Clock) {
    this.#folders = folders;
    this.#stopChecks = clock.every(recheckMs, () => {
      for (const feed of this.#feeds.values()) void feed.recheck();
    });
  }

  /** Throws `too_many_requests` when the user, or all users together, have too many streams. */
  assertRoomFor(userId: number): void {
    const own = [...this.#feeds.values()].filter(({ userContext }) => userContext.user.id === userId);
    if (own.length >= maxStreamsPerUser || this.#feeds.size >= maxStreams)
      throw new AppError('too_many_requests', 'too many open streams; close other windows');
  }

  /** Opens a feed, which ends with its stream. */
  open(userContext: UserContext, stream: EventStream): Feed {
    const feed = new Feed(userContext, stream, this.#folders);
    this.#feeds.set(feed.id, feed);
    this.#streams.set(feed.id, stream);
    stream.onClose(() => {
      this.#feeds.delete(feed.id);
      this.#streams.delete(feed.id);
    });
    return feed;
  }

  /** The feed of a session. Throws `not_found`, also for a feed of another session. */
  find(id: string, { sessionId }: UserContext): Feed {
    const feed = this.#feeds.get(id);
    if (feed === undefined || feed.userContext.sessionId !== sessionId) throw new AppError('not_found');
    return feed;
  }

  /** Ends all streams. */
  close(): void {
    this.#stopChecks();
    for (const stream of this.#streams.values()) stream.close();
  }
}
