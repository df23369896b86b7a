import { virtualPath, type VirtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, test, vi } from 'vitest';
import type { AskConflict } from './conflict.ts';
import type { ConflictChoice, ConflictSide } from '../../../ui/conflicts/conflict.ts';
import { containsDestination, planTransfer, type TransferRequest } from './plan-transfer.ts';
import { fileAt, folderAt } from './test-entries.ts';

const aFile: ConflictSide = { isFolder: false, size: 5, modifiedMs: 0 };
const aFolder: ConflictSide = { isFolder: true, size: null, modifiedMs: 0 };

function plan(
  request: TransferRequest,
  existing: Record<string, ConflictSide> = {},
  choice: ConflictChoice = 'keep_both',
  canReplace = true,
) {
  const ask = vi.fn<AskConflict>(async () => ({ choice, forRemaining: false }));
  const findExisting = vi.fn(
    async (_folder: VirtualPath, names: ReadonlySet<string>) =>
      new Map(Object.entries(existing).filter(([name]) => names.has(name))),
  );
  return { ask, findExisting, result: planTransfer(request, { findExisting, ask, canReplace }) };
}
const photos = virtualPath('/Photos');

test('plans nothing, without a question, for a move into the same folder', async () => {
  const { ask, findExisting, result } = plan({
    kind: 'move',
    entries: [fileAt('/Photos/a.jpg')],
    destination: photos,
  });
  expect(await result).toEqual({ steps: [], skipped: 0, alreadyThere: 1, refused: [] });
  expect(ask).not.toHaveBeenCalled();
  expect(findExisting).not.toHaveBeenCalled();
});

test('copies into the same folder under a free name without a question', async () => {
  const entry = fileAt('/Photos/a.jpg');
  const { ask, result } = plan({ kind: 'copy', entries: [entry], destination: photos }, { 'a.jpg': aFile });
  expect((await result)?.steps).toEqual([{ entry, to: '/Photos/a.jpg', mode: 'keep_both' }]);
  expect(ask).not.toHaveBeenCalled();
});

test('refuses a folder that would move into itself or below itself, but moves the others', async () => {
  const folder = folderAt('/Photos');
  const file = fileAt('/b.txt');
  const { result } = plan({
    kind: 'move',
    entries: [folder, file],
    destination: virtualPath('/Photos/2025'),
  });
  const planned = await result;
  expect(planned?.refused).toEqual([folder]);
  expect(planned?.steps.map(({ to }) => to)).toEqual(['/Photos/2025/b.txt']);
  expect(containsDestination([folder], virtualPath('/Photos-old'))).toBe(false);
});

test.each([
  ['keep_both', 'keep_both'],
  ['replace', 'overwrite'],
] as const)('sends the reply %s to a conflict as %s', async (choice, mode) => {
  const { result } = plan(
    { kind: 'move', entries: [fileAt('/a.jpg'), fileAt('/b.jpg')], destination: photos },
    { 'a.jpg': aFile },
    choice,
  );
  expect((await result)?.steps.map((step) => [step.to, step.mode])).toEqual([
    ['/Photos/a.jpg', mode],
    ['/Photos/b.jpg', 'plain'],
  ]);
});

test('counts skipped entries, and drops the whole plan when cancelled', async () => {
  const request: TransferRequest = { kind: 'move', entries: [fileAt('/a.jpg')], destination: photos };
  expect(await plan(request, { 'a.jpg': aFile }, 'skip').result).toMatchObject({ steps: [], skipped: 1 });
  expect(await plan(request, { 'a.jpg': aFile }, 'cancel').result).toBeNull();
});

test('offers choices according to the types of both entries and the permission', async () => {
  const file: TransferRequest = { kind: 'copy', entries: [fileAt('/a')], destination: photos };
  const folder: TransferRequest = { kind: 'copy', entries: [folderAt('/a')], destination: photos };
  const choicesFor = async (request: TransferRequest, existing: ConflictSide, canReplace = true) => {
    const { ask, result } = plan(request, { a: existing }, 'skip', canReplace);
    await result;
    return ask.mock.calls[0]?.[0].choices;
  };
  expect(await choicesFor(file, aFile)).toEqual(['keep_both', 'replace', 'skip']);
  expect(await choicesFor(folder, aFolder)).toEqual(['merge', 'keep_both', 'skip']);
  expect(await choicesFor(file, aFolder)).toEqual(['keep_both', 'skip']);
  expect(await choicesFor(folder, aFile)).toEqual(['keep_both', 'skip']);
  expect(await choicesFor(file, aFile, false)).toEqual(['keep_both', 'skip']);
});

test('never lets an entry overwrite the folder that contains it', async () => {
  const { ask, result } = plan(
    { kind: 'move', entries: [folderAt('/Photos/b/b')], destination: photos },
    { b: aFolder },
    'skip',
  );
  await result;
  expect(ask.mock.calls[0]?.[0].choices).toEqual(['keep_both', 'skip']);
});
