import { uploadStates, type UploadJob, type UploadState } from '../queue/upload-job.ts';
import type { UploadSnapshot } from '../queue/upload-progress.ts';
import type { Tray } from '../tray.ts';
import type { OpenTabs, PeerTray, TrayAction } from './open-tabs.ts';

/** The id of another page's row is the number of the page times this, plus the id of the row in that page. */
const idsPerPage = 2 ** 32;

const orderOf = new Map(uploadStates.map((state, index) => [state, index]));

/** The uploads of all open pages as one list. Actions on a row are performed by its page. */
export class SharedTray implements Tray {
  readonly #own: Tray;
  readonly #tabs: Pick<OpenTabs, 'peers' | 'subscribe' | 'act'>;
  /** The pages by the number in the ids of their rows, from 1 on. */
  readonly #pages: string[] = [];
  #peers: ReadonlyMap<string, PeerTray> = new Map();
  #snapshot: UploadSnapshot | null = null;
  #ownSnapshot: UploadSnapshot | null = null;
  #rows: readonly UploadJob[] | null = null;
  #ownRows: readonly UploadJob[] | null = null;

  constructor(own: Tray, tabs: Pick<OpenTabs, 'peers' | 'subscribe' | 'act'>) {
    this.#own = own;
    this.#tabs = tabs;
    tabs.subscribe(() => {
      this.#peers = new Map([...tabs.peers].filter(([, { snapshot }]) => isShown(snapshot)));
      this.#snapshot = null;
      this.#rows = null;
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribers = [this.#own.subscribe(listener), this.#tabs.subscribe(listener)];
    return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
  };

  readonly getSnapshot = (): UploadSnapshot => {
    const own = this.#own.getSnapshot();
    if (this.#peers.size === 0) return own;
    if (this.#snapshot === null || own !== this.#ownSnapshot) {
      this.#ownSnapshot = own;
      this.#snapshot = [...this.#peers.values()].map(({ snapshot }) => snapshot).reduce(combine, own);
    }
    return this.#snapshot;
  };

  rows(): readonly UploadJob[] {
    const own = this.#own.rows();
    if (this.#peers.size === 0) return own;
    if (this.#rows === null || own !== this.#ownRows) {
      this.#ownRows = own;
      const theirs = [...this.#peers].flatMap(([page, { rows }]) =>
        rows.map((row) => ({ ...row, id: this.#numberOf(page) * idsPerPage + row.id })),
      );
      const rank = ({ state }: UploadJob) => orderOf.get(state) ?? 0;
      this.#rows = [...own, ...theirs].sort((one, other) => rank(one) - rank(other));
    }
    return this.#rows;
  }

  pause(id: number): void {
    this.#act('pause', id);
  }
  resume(id: number): void {
    this.#act('resume', id);
  }
  cancel(id: number): void {
    this.#act('cancel', id);
  }
  retry(id: number): void {
    this.#act('retry', id);
  }
  pauseAll(): void {
    this.#actOnAll('pauseAll');
  }
  resumeAll(): void {
    this.#actOnAll('resumeAll');
  }
  async cancelAll(): Promise<void> {
    this.#actOnPeers('cancelAll');
    await this.#own.cancelAll();
  }
  retryFailed(): void {
    this.#actOnAll('retryFailed');
  }
  dismiss(): void {
    this.#actOnAll('dismiss');
  }

  #numberOf(page: string): number {
    const index = this.#pages.indexOf(page);
    return index >= 0 ? index + 1 : this.#pages.push(page);
  }

  #act(action: 'pause' | 'resume' | 'cancel' | 'retry', id: number): void {
    const page = this.#pages[Math.floor(id / idsPerPage) - 1];
    if (page === undefined) this.#own[action](id);
    else this.#tabs.act(page, action, id % idsPerPage);
  }

  #actOnAll(action: 'pauseAll' | 'resumeAll' | 'retryFailed' | 'dismiss'): void {
    this.#own[action]();
    this.#actOnPeers(action);
  }

  #actOnPeers(action: TrayAction): void {
    for (const page of this.#peers.keys()) this.#tabs.act(page, action);
  }
}

const isShown = ({ total, planned }: UploadSnapshot): boolean => total + planned > 0;

type Counts = UploadSnapshot['counts'];

const sumOf = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(uploadStates.map((state) => [state, one[state] + other[state]])) as Record<
    UploadState,
    number
  >;

/** Returns the snapshot of two lists together. */
function combine(one: UploadSnapshot, other: UploadSnapshot): UploadSnapshot {
  const busy = [one, other].filter(({ isBusy }) => isBusy);
  const sentWeight = one.sentWeight + other.sentWeight;
  const totalWeight = one.totalWeight + other.totalWeight;
  const times = busy.filter(({ isPaused }) => !isPaused).map(({ secondsLeft }) => secondsLeft);
  return {
    counts: sumOf(one.counts, other.counts),
    folderCounts: sumOf(one.folderCounts, other.folderCounts),
    total: one.total + other.total,
    planned: one.planned + other.planned,
    progress: totalWeight === 0 ? 1 : Math.min(1, sentWeight / totalWeight),
    sentWeight,
    totalWeight,
    sentBytes: one.sentBytes + other.sentBytes,
    totalBytes: one.totalBytes + other.totalBytes,
    bytesPerSecond: one.bytesPerSecond + other.bytesPerSecond,
    // The pages share the connection, so the longest time is the best estimate.
    secondsLeft:
      times.includes(null) || times.length === 0 ? null : Math.max(...times.map((seconds) => seconds ?? 0)),
    isPaused: busy.length > 0 && busy.every(({ isPaused }) => isPaused),
    isBusy: busy.length > 0,
  };
}
