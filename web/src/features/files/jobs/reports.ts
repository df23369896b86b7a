import type { ErrorCode } from '@filestead/contract/errors';
import type { JobKind } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';

/** The failures of longer work, shown until the user closes them. */
export interface Report {
  readonly id: string;
  readonly kind: JobKind;
  /** The number of all items, successful or not. */
  readonly total: number;
  readonly failed: number;
  /** Some of the failed items, with their error codes. */
  readonly failures: readonly {
    readonly path: VirtualPath | string;
    readonly code: ErrorCode | string;
    readonly detail?: string | undefined;
  }[];
  /** Retries the failed items; absent when their destination is unknown. */
  readonly retry?: (() => void) | undefined;
}

/** The shown reports, the oldest first. */
export const useReports = create<{ reports: readonly Report[] }>(() => ({ reports: [] }));

/** Shows a report; it replaces one with the same id. */
export function showReport(report: Report): void {
  useReports.setState(({ reports }) => ({
    reports: [...reports.filter(({ id }) => id !== report.id), report],
  }));
}

export function closeReport(id: string): void {
  useReports.setState(({ reports }) => ({ reports: reports.filter((report) => report.id !== id) }));
}

export function closeAllReports(): void {
  if (useReports.getState().reports.length > 0) useReports.setState({ reports: [] });
}
