import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { RestorationResult } from '../../database/restoration-repository.ts';
import { CliError, type CommandCall } from '../command.ts';
import { isServerRunning } from '../open-data.ts';
import { escapePath } from './escape-path.ts';
import type { TrashData } from './open-trash-data.ts';

/** The interval at which the results are read (milliseconds). */
const checkMs = 100;

/** Prints the path of a restored entry. Throws {@link CliError} with the reason if it was not restored. */
export function printRestored({ terminal }: CommandCall, id: string, result: RestorationResult): void {
  if ('failure' in result) throw new CliError(result.failure);
  terminal.print(`${id}  ${escapePath(result.path)}`);
}

/**
 * Lets the running server restore deleted entries or versions, one after the other, and prints their paths. Throws {@link CliError} for
 * the first that was not restored, and when the server stops.
 */
export async function requestRestorations(
  call: CommandCall,
  { config, database: { restorations } }: TrashData,
  destination: VirtualPath | null,
): Promise<void> {
  for (const id of call.words) {
    const [request = 0] = await restorations.request([{ keptId: id, destination }]);
    try {
      let result: RestorationResult | undefined;
      for (;;) {
        result = (await restorations.results([request])).get(request);
        if (result !== undefined) break;
        if (!isServerRunning(config))
          throw new CliError(`${id}: the server has stopped; repeat the command to restore without it`);
        await sleep(checkMs);
      }
      printRestored(call, id, result);
    } finally {
      await restorations.remove([request]);
    }
  }
}
