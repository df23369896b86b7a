import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/call.ts';
import type { AskConflict } from './conflict.ts';
import type { ConflictChoice, ConflictSide } from '../../../ui/conflicts/conflict.ts';
import type { TransferStep } from './plan-transfer.ts';
import { runMany } from '../entries/run-many.ts';
import { runTransfer } from './run-transfer.ts';
import { fileAt } from './test-entries.ts';

const step = (name: string): TransferStep => ({
  entry: fileAt(`/from/${name}`),
  to: virtualPath(`/to/${name}`),
  mode: 'plain',
});
const aFile: ConflictSide = { isFolder: false, size: 5, modifiedMs: 0 };

/** Runs a transfer to a destination that contains `existingNames`, of which the user sees `visibleNames`. */
function transfer(existingNames: string[], visibleNames: string[], choice: ConflictChoice) {
  const sent: string[] = [];
  const ask = vi.fn<AskConflict>(async () => ({ choice, forRemaining: true }));
  const outcome = runTransfer({
    kind: 'move',
    steps: [step('a'), step('b'), step('c')],
    perform: (_kind, items) =>
      runMany({
        items,
        run: async ({ entry, to, mode }): Promise<VirtualPath> => {
          sent.push(`${entry.name} ${mode}`);
          if (mode === 'plain' && existingNames.includes(entry.name))
            throw new ApiError(409, 'already_exists');
          return mode === 'keep_both' ? virtualPath(`${to}(1)`) : to;
        },
      }),
    findExisting: async () => new Map(visibleNames.map((name) => [name, aFile])),
    ask,
    canReplace: true,
  });
  return { sent, ask, outcome };
}

test('asks about a conflict that arises meanwhile, and sends the step again with the reply', async () => {
  const { sent, ask, outcome } = transfer(['b', 'c'], ['b', 'c'], 'keep_both');
  const { done, failed, unprocessed, skipped } = await outcome;
  expect(ask).toHaveBeenCalledOnce();
  expect(sent).toEqual(['a plain', 'b plain', 'c plain', 'b keep_both', 'c keep_both']);
  expect(done.map(({ result }) => result)).toEqual(['/to/a', '/to/b(1)', '/to/c(1)']);
  expect([failed, unprocessed, skipped]).toEqual([[], [], 0]);
});

test('offers no replacement of an entry that the user does not see', async () => {
  const { ask, outcome } = transfer(['b'], [], 'skip');
  expect(await outcome).toMatchObject({ skipped: 1, failed: [] });
  expect(ask.mock.calls[0]?.[0].choices).toEqual(['keep_both', 'skip']);
});

test('leaves the remaining entries unprocessed when the user cancels a later conflict', async () => {
  const { outcome } = transfer(['b'], ['b'], 'cancel');
  const { done, unprocessed } = await outcome;
  expect(done.length).toBe(2);
  expect(unprocessed.map(({ entry }) => entry.name)).toEqual(['b']);
});
