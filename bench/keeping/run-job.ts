import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '../../e2e/support/product.ts';

/** A job as the list describes it. */
export interface ListedJob {
  readonly id: string;
  readonly state: string;
  readonly endedAt: number | null;
  readonly items: { readonly done: number; readonly failed: number };
  readonly entries: { readonly done: number };
}

/** Ends the process of a product without notice, and waits until it has ended. */
export async function kill({ pid }: Pick<Product, 'pid'>): Promise<void> {
  process.kill(pid, 'SIGKILL');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(5);
  }
}

/** Starts a job, and resolves to its state once it has ended. Throws if an item failed. */
export async function runJob(
  { url }: Pick<Product, 'url'>,
  token: string,
  request: Readonly<Record<string, unknown>>,
): Promise<ListedJob> {
  const headers = { 'X-Auth': token, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/api/jobs`, { method: 'POST', headers, body: JSON.stringify(request) });
  if (!response.ok) throw new Error(`the job was refused: ${response.status} ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  for (;;) {
    const jobs = (await (await fetch(`${url}/api/jobs`, { headers })).json()) as ListedJob[];
    const job = jobs.find((listed) => listed.id === id);
    if (job !== undefined && job.endedAt !== null) {
      if (job.items.failed > 0) throw new Error(`${job.items.failed} items of the job failed`);
      return job;
    }
    await sleep(50);
  }
}
