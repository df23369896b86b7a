import type { JobKind } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError } from '../../../api/call.ts';
import { closeReport, showReport } from '../jobs/reports.ts';
import { toastFailure } from './toasts.ts';

interface Failures {
  readonly kind: JobKind;
  /** The number of all items, successful or not. */
  readonly total: number;
  readonly failed: readonly { readonly path: VirtualPath; readonly error: unknown }[];
  /** The sentence that states what failed. */
  readonly summary: string;
  /** Retries the failed items. */
  readonly retry: () => void;
}

let lastReport = 0;

/**
 * Shows a notification with the reason if there was a single item. The failed ones of several items are listed by
 * name until the user closes the report.
 */
export function reportFailures({ kind, total, failed, summary, retry }: Failures): void {
  const [first] = failed;
  if (!first) return;
  if (total === 1) {
    toastFailure(summary, first.error, retry);
    return;
  }
  const id = `report ${++lastReport}`;
  showReport({
    id,
    kind,
    total,
    failed: failed.length,
    failures: failed.map(({ path, error }) => ({
      path,
      ...(isApiError(error) ? { code: error.code, detail: error.detail } : { code: 'other' }),
    })),
    retry: () => {
      closeReport(id);
      retry();
    },
  });
}
