import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '../../e2e/support/product.ts';

interface ListedJob {
  readonly id: string;
  readonly state: string;
  readonly endedAt: number | null;
  readonly items: { readonly done: number; readonly failed: number };
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
