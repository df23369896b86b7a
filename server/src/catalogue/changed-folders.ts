import type { EngineHost } from './catalogue-requests.ts';

/** Changed folders are reported together after this time (milliseconds); beyond this number all count as changed. */
const reportDelayMs = 500;
const maxReportedFolders = 10_000;

/** Collects folders whose documents have changed and reports them together, for the index of contents. */
export class ChangedFolders {
  readonly #host: Pick<EngineHost, 'after' | 'post'>;
  /** Null when all folders count as changed. */
  #folders: Set<string> | null = new Set();
  #isReportDue = false;

  constructor(host: Pick<EngineHost, 'after' | 'post'>) {
    this.#host = host;
  }

  /** Whether recorded folders have not been reported yet. */
  get isReportDue(): boolean {
    return this.#isReportDue;
  }

  /** Records a changed folder; null for all. */
  add(path: string | null): void {
    if (path === null) this.#folders = null;
    else this.#folders?.add(path);
    if (this.#isReportDue) return;
    this.#isReportDue = true;
    this.#host.after(reportDelayMs, () => this.#report());
  }

  #report(): void {
    const folders = this.#folders;
    this.#isReportDue = false;
    this.#folders = new Set();
    const isFew = folders !== null && folders.size <= maxReportedFolders;
    this.#host.post({ kind: 'changed', folders: isFew ? [...folders] : null });
  }
}
