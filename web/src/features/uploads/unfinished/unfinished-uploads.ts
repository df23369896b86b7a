import type { FolderUpload } from '@filestead/contract/endpoints/folder-uploads';
import type { UnfinishedUpload } from '@filestead/contract/uploads';
import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { comparedTailBytes } from '@filestead/contract/values/limits';
import { tabOfKey } from '../tabs/tab-id.ts';
import type { FileHandles } from './file-handles.ts';
import type { UnfinishedServer } from './unfinished-server.ts';

/** An upload that the server has received partly, and that no page of this browser is sending. */
export interface InterruptedUpload {
  readonly id: string;
  /** The address at which it continues. */
  readonly address: string;
  readonly path: VirtualPath;
  /** The size of the whole file in bytes. */
  readonly size: number;
  /** Number of bytes that the server has stored. */
  readonly offset: number;
  /** The modification time of the file on the user's machine, in Unix milliseconds; null if it is unknown. */
  readonly modifiedMs: number | null;
  /** Whether it overwrites an existing file. */
  readonly override: boolean;
  /** The expiry, in Unix milliseconds. */
  readonly expiresMs: number;
  readonly expiresSoon: boolean;
  /** Whether another device is sending it. */
  readonly isSending: boolean;
  /** The handle with which the file can be read again; null if this browser has none. */
  readonly handle: FileSystemFileHandle | null;
}

/** A folder of which some files are on the server, and whose upload no page of this browser continues. */
export interface InterruptedFolder {
  readonly id: string;
  /** The destination of the folder. */
  readonly path: VirtualPath;
  /** Its name on the user's machine. */
  readonly name: string;
  readonly files: number;
  readonly arrivedFiles: number;
  readonly expiresMs: number;
  readonly expiresSoon: boolean;
  readonly handle: FileSystemDirectoryHandle | null;
}

/** The unfinished uploads of the signed-in user at one moment. */
export interface UnfinishedSnapshot {
  /** The oldest first; without those of unfinished folders. */
  readonly uploads: readonly InterruptedUpload[];
  readonly folders: readonly InterruptedFolder[];
}

/** The properties that identify a file; browsers expose no others without reading it. */
export interface UploadIdentity {
  readonly path: VirtualPath;
  readonly size: number;
  readonly modifiedMs: number;
  readonly override: boolean;
}

/** The uploads of the open pages, which are not interrupted. */
export interface OpenWork {
  /** The ids of the open pages. */
  readonly pages: ReadonlySet<string>;
  /** The addresses of their resumable uploads, and the ids of their folder uploads. */
  readonly addresses: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** The interval at which the list is read again while another device is sending, in ms. */
const refreshSendingMs = 3000;

const nothing: UnfinishedSnapshot = { uploads: [], folders: [] };

/**
 * The unfinished uploads of the signed-in user that no open page is sending, as last read from the server: the list is
 * the same on all devices. They are shown until they are continued, discarded or expired.
 */
export class UnfinishedUploads {
  readonly #server: UnfinishedServer;
  readonly #handles: FileHandles;
  readonly #listeners = new Set<() => void>();
  #findWork: () => Promise<OpenWork> = async () => ({
    pages: new Set(),
    addresses: new Set(),
    folders: new Set(),
  });
  #snapshot = nothing;
  /** All uploads that may be continued, also those of folders. */
  #claimable: readonly InterruptedUpload[] = [];
  #loading: Promise<void> | null = null;
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(server: UnfinishedServer, handles: FileHandles) {
    this.#server = server;
    this.#handles = handles;
  }

  /** Returns the same object until it changes. */
  readonly getSnapshot = (): UnfinishedSnapshot => this.#snapshot;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows the uploads of the user who has signed in. `findWork` returns the uploads of the open pages. */
  open(findWork: () => Promise<OpenWork>): void {
    this.close();
    this.#isOpen = true;
    this.#findWork = findWork;
    void this.refresh();
  }

  /** Shows nothing after the user has signed out. */
  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#claimable = [];
    this.#show(nothing);
  }

  /** Reads the list again. Without a connection it stays as it is. */
  refresh(): Promise<void> {
    clearTimeout(this.#timer);
    const loading = this.#load().catch(() => undefined);
    void loading.then(() => this.#refreshLater());
    this.#loading = loading;
    return loading;
  }

  /**
   * Removes the unfinished upload of this file from the list and returns its address, to be continued; null if there is none. A file
   * that has changed since does not continue an old upload: its last stored bytes are compared.
   */
  async claim(identity: UploadIdentity, file: Blob): Promise<string | null> {
    await this.#loading;
    const upload = this.#claimable.findLast(
      ({ path, size, modifiedMs, override }) =>
        path === identity.path &&
        size === identity.size &&
        override === identity.override &&
        (modifiedMs === null || modifiedMs === identity.modifiedMs),
    );
    if (upload === undefined || !(await this.#isSame(upload, file))) return null;
    this.release(upload.address);
    return upload.address;
  }

  /** Removes an upload, which a page continues or discards, from the list. */
  release(address: string): void {
    this.#claimable = this.#claimable.filter((upload) => upload.address !== address);
    const { uploads, folders } = this.#snapshot;
    if (uploads.some((upload) => upload.address === address))
      this.#show({ folders, uploads: uploads.filter((upload) => upload.address !== address) });
  }

  /** Removes a folder, whose upload a page continues, from the list. */
  releaseFolder(id: string): void {
    const { uploads, folders } = this.#snapshot;
    this.#show({ uploads, folders: folders.filter((folder) => folder.id !== id) });
  }

  /** Returns a function that decides whether a file of a folder upload has arrived already. */
  async arrivedFiles(folderId: string): Promise<(file: string, size: number, modifiedMs: number) => boolean> {
    const arrived = new Map(
      (await this.#server.arrivedFiles(folderId)).map(({ file, size, modified }) => [
        file,
        `${size} ${modified}`,
      ]),
    );
    return (file, size, modifiedMs) => arrived.get(file) === `${size} ${Math.max(0, modifiedMs)}`;
  }

  /** Discards an upload. Resolves when the server was notified or cannot be reached. */
  async discard({ id, address }: InterruptedUpload): Promise<void> {
    this.release(address);
    await this.#discardOnServer(() => this.#server.discard(id), id);
  }

  /** Discards a folder upload; files that have arrived stay. */
  async discardFolder({ id }: InterruptedFolder): Promise<void> {
    this.releaseFolder(id);
    await this.#discardOnServer(() => this.#server.discardFolder(id), id);
  }

  /** Discards all uploads and folder uploads. Resolves when the server was notified. */
  async discardAll(): Promise<void> {
    const { uploads, folders } = this.#snapshot;
    await Promise.all([
      ...uploads.map((upload) => this.discard(upload)),
      ...folders.map((folder) => this.discardFolder(folder)),
    ]);
  }

  async #discardOnServer(discard: () => Promise<void>, id: string): Promise<void> {
    try {
      await discard();
    } catch {
      // It was discarded on another device, or is shown again when the server can be reached.
    }
    await this.#handles.forget(id);
  }

  async #isSame({ id, address }: InterruptedUpload, file: Blob): Promise<boolean> {
    try {
      const offset = await this.#server.fetchOffset(address);
      if (offset === null) return false;
      const tail = file.slice(Math.max(0, offset - comparedTailBytes), offset);
      return await this.#server.compare(id, offset, tail);
    } catch {
      // The file is uploaded from its beginning.
      return false;
    }
  }

  async #load(): Promise<void> {
    if (!this.#isOpen) return;
    const [listed, folders] = await Promise.all([this.#server.list(), this.#server.listFolders()]);
    const received = listed.filter(({ state }) => state === 'receiving');
    const [work, handles] = await Promise.all([
      this.#findWork(),
      received.length + folders.length === 0
        ? new Map<string, FileSystemHandle>()
        : this.#handles.find([...received, ...folders].map(({ id }) => id)),
    ]);
    if (!this.#isOpen) return;
    const isOpenWork = ({ key }: UnfinishedUpload, address: string) =>
      work.addresses.has(address) || (key !== null && work.pages.has(tabOfKey(key)));
    const interrupted = received.flatMap((upload) => {
      const address = this.#server.addressOf(upload);
      return isOpenWork(upload, address)
        ? []
        : [{ folder: upload.folder, interrupted: toInterrupted(upload, address, handles.get(upload.id)) }];
    });
    const shown = folders.filter(({ id }) => !work.folders.has(id));
    const shownIds = new Set(shown.map(({ id }) => id));
    this.#claimable = interrupted.map((each) => each.interrupted);
    this.#show({
      uploads: interrupted
        .filter(({ folder }) => folder === null || !shownIds.has(folder.id))
        .map((each) => each.interrupted),
      folders: shown.map((folder) => toInterruptedFolder(folder, handles.get(folder.id))),
    });
  }

  /** Follows an upload that another device is sending. */
  #refreshLater(): void {
    clearTimeout(this.#timer);
    if (!this.#isOpen || !this.#snapshot.uploads.some(({ isSending }) => isSending)) return;
    this.#timer = setTimeout(() => {
      // The focus of the page refreshes the list.
      if (document.hidden) this.#refreshLater();
      else void this.refresh();
    }, refreshSendingMs);
  }

  #show(snapshot: UnfinishedSnapshot): void {
    const isEmpty = ({ uploads, folders }: UnfinishedSnapshot) => uploads.length + folders.length === 0;
    if (isEmpty(snapshot) && isEmpty(this.#snapshot)) return;
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}

const toInterrupted = (
  { id, path, size, stored, modified, overrides, expires, expiresSoon, isSending }: UnfinishedUpload,
  address: string,
  handle: FileSystemHandle | undefined,
): InterruptedUpload => ({
  id,
  address,
  path: virtualPath(path),
  size,
  offset: stored,
  modifiedMs: modified,
  override: overrides,
  expiresMs: expires,
  expiresSoon,
  isSending,
  handle: handle?.kind === 'file' ? (handle as FileSystemFileHandle) : null,
});

const toInterruptedFolder = (
  { id, path, name, files, arrivedFiles, expires, expiresSoon }: FolderUpload,
  handle: FileSystemHandle | undefined,
): InterruptedFolder => ({
  id,
  path: virtualPath(path),
  name,
  files,
  arrivedFiles,
  expiresMs: expires,
  expiresSoon,
  handle: handle?.kind === 'directory' ? (handle as FileSystemDirectoryHandle) : null,
});
