import type { ErrorCode } from '@filestead/contract/errors';
import type { JobKind } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { create } from 'zustand';

/** What could not be done of a piece of long work, until the user has read it. */
export interface Report {
  readonly id: string;
  readonly kind: JobKind;
  /** Of the items, done or not. */
  readonly total: number;
  readonly failed: number;
  /** Some of those that failed, and why. */
  readonly failures: readonly { readonly path: VirtualPath | string; readonly code: ErrorCode | string }[];
  /** Tries those that failed again; left out where it is not known what they were to become. */
  readonly retry?: (() => void) | undefined;
}

/** The reports to show, the oldest first. */
export const useReports = create<{ reports: readonly Report[] }>(() => ({ reports: [] }));

/** Shows what has failed. A report of the same id takes the place of the one before. */
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
