import type { UploadJob } from './queue/upload-job.ts';
import type { UploadSnapshot } from './queue/upload-progress.ts';

/** A list of uploads that a tray shows and controls. */
export interface Tray {
  readonly getSnapshot: () => UploadSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns all rows in display order; the same array until one changes its state. A folder is one row with everything in it. */
  rows(): readonly UploadJob[];
  pause(id: number): void;
  resume(id: number): void;
  cancel(id: number): void;
  retry(id: number): void;
  pauseAll(): void;
  resumeAll(): void;
  cancelAll(): Promise<void>;
  retryFailed(): void;
  dismiss(): void;
}
