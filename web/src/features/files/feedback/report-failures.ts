import type { JobKind } from '@filestead/contract/jobs';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { isApiError } from '../../../api/call.ts';
import { closeReport, showReport } from '../jobs/reports.ts';
import { toastFailure } from './toasts.ts';

interface Failures {
  readonly kind: JobKind;
  /** Of all items, done or not. */
  readonly total: number;
  readonly failed: readonly { readonly path: VirtualPath; readonly error: unknown }[];
  /** The sentence that says what failed. */
  readonly what: string;
  /** Tries the failed items again. */
  readonly retry: () => void;
}

let lastReport = 0;

/** Says why the only thing failed in a notice; of several, those that failed are listed by name until they have been read. */
export function reportFailures({ kind, total, failed, what, retry }: Failures): void {
  const [first] = failed;
  if (!first) return;
  if (total === 1) {
    toastFailure(what, first.error, retry);
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
      code: isApiError(error) ? error.code : 'other',
    })),
    retry: () => {
      closeReport(id);
      retry();
    },
  });
}
