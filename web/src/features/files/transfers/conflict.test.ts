import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test, vi } from 'vitest';
import { answerConflicts, type AskConflict, type TransferConflict } from './conflict.ts';

const side = { isFolder: false, size: 1, modifiedMs: 1 };
const fileConflict = (path: string): TransferConflict => ({
  path: virtualPath(path),
  incoming: side,
  existing: side,
  choices: ['keep_both', 'replace', 'skip'],
});
const mixedConflict = (path: string): TransferConflict => ({
  ...fileConflict(path),
  choices: ['keep_both', 'skip'],
});

test('applies a reply for the remaining conflicts only where it is offered', async () => {
  const ask = vi.fn<AskConflict>(async ({ choices }) => ({
    choice: choices.includes('replace') ? 'replace' : 'skip',
    forRemaining: true,
  }));
  const answers = await answerConflicts(
    [fileConflict('/a'), fileConflict('/b'), mixedConflict('/c'), fileConflict('/d'), mixedConflict('/e')],
    ask,
  );
  expect(ask).toHaveBeenCalledTimes(2);
  expect(ask.mock.calls.map(([conflict, remaining]) => [conflict.path, remaining])).toEqual([
    ['/a', 4],
    ['/c', 2],
  ]);
  expect([...(answers ?? [])]).toEqual([
    ['/a', 'replace'],
    ['/b', 'replace'],
    ['/c', 'skip'],
    ['/d', 'replace'],
    ['/e', 'skip'],
  ]);
});

test('drops everything when cancelled', async () => {
  const ask: AskConflict = async () => ({ choice: 'cancel', forRemaining: false });
  expect(await answerConflicts([fileConflict('/a'), fileConflict('/b')], ask)).toBeNull();
});
