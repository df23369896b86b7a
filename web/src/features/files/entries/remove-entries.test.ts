import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemResponse } from '../../../api/test-responses.ts';
import { closeAllToasts, currentToasts } from '../../../ui/feedback/toast.ts';
import { forgetActions } from '../feedback/undo-stacks.ts';
import { closeAllPrompts, usePrompts } from '../prompts/prompt-store.ts';
import { fileAt } from '../transfers/test-entries.ts';
import { onFilesChange, type FilesChange } from './changes.ts';
import { removeEntries } from './remove-entries.ts';

const fetched = vi.fn<typeof fetch>();
let changes: FilesChange[] = [];
let stop: () => void;
beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  changes = [];
  stop = onFilesChange((change) => changes.push(change));
});
afterEach(() => {
  stop();
  fetched.mockReset();
  closeAllToasts();
  forgetActions();
  closeAllPrompts();
  vi.unstubAllGlobals();
});

const kept = (id: string): Response =>
  new Response('200 OK\n', { headers: { 'X-Trash-Item': id, 'X-Operation': `operation-${id}` } });
const plain = (text: string | undefined) => text?.replaceAll(/[\u2066-\u2069]/gu, '');
const lastMessage = () => plain(currentToasts().at(-1)?.message);
const requests = () =>
  fetched.mock.calls.map(([input, init]) => {
    const { pathname, search } = new URL(String(input), 'http://server');
    return `${init?.method ?? 'GET'} ${pathname}${search}`;
  });

test('moves a file to the trash, and undoes the operation on undo', async () => {
  fetched.mockResolvedValueOnce(kept('id1'));
  expect(await removeEntries([fileAt('/Papers/report.pdf')])).toEqual(['/Papers/report.pdf']);
  expect(requests()).toEqual(['DELETE /api/resources/Papers/report.pdf']);
  expect(lastMessage()).toBe('“report.pdf” moved to the trash');

  const report = { kind: 'delete', total: 1, undone: 1, failures: [], removed: [], folders: ['/Papers'] };
  fetched.mockImplementation(async () =>
    Response.json({ ...report, operation: 'undo', paths: ['/Papers/report.pdf'] }),
  );
  currentToasts().at(-1)?.action?.onAction();
  await vi.waitFor(() => expect(lastMessage()).toBe('“report.pdf” restored'));
  expect(requests().at(-1)).toBe('POST /api/operations/operation-id1/undo');
  expect(changes.at(-1)).toEqual({ folders: ['/Papers'], removed: [], reveal: ['/Papers/report.pdf'] });
});

test('says when the undo failed, and why', async () => {
  fetched.mockResolvedValueOnce(kept('id1'));
  await removeEntries([fileAt('/a')]);
  fetched.mockResolvedValueOnce(problemResponse(404, 'not_found'));
  currentToasts().at(-1)?.action?.onAction();
  await vi.waitFor(() => expect(lastMessage()).toBe('This could not be undone. It is no longer there.'));
});

test('offers to undo a permanent deletion while the server keeps the entry', async () => {
  fetched.mockResolvedValueOnce(kept('id1'));
  await removeEntries([fileAt('/a')], { isPermanent: true });
  expect(requests()).toEqual(['DELETE /api/resources/a?permanent=true']);
  expect(lastMessage()).toBe('“a” deleted');
  expect(currentToasts().at(-1)?.action?.label).toBe('Undo');
});

test('offers no undo for what was deleted permanently at once', async () => {
  fetched.mockResolvedValueOnce(new Response('200 OK\n'));
  await removeEntries([fileAt('/a')], { isPermanent: true });
  expect(requests()).toEqual(['DELETE /api/resources/a?permanent=true']);
  expect(lastMessage()).toBe('“a” deleted');
  expect(currentToasts().at(-1)?.action).toBeUndefined();
});

test('reports the number of several entries in one notice', async () => {
  fetched.mockImplementation(async (input) => kept(String(input).slice(-1)));
  await removeEntries([fileAt('/a'), fileAt('/b')]);
  expect(lastMessage()).toBe('2 items moved to the trash');
});

test('asks users who may delete forever about entries that the trash cannot keep', async () => {
  fetched.mockImplementation(async (input) =>
    String(input).includes('/full') ? problemResponse(409, 'cannot_keep') : kept('id1'),
  );
  await removeEntries([fileAt('/a'), fileAt('/full')], { canPurge: true });
  expect(lastMessage()).toBe('“a” moved to the trash');
  const [prompt] = usePrompts.getState().open;
  expect(prompt).toMatchObject({ kind: 'remove', cannotKeep: true, entries: [{ path: '/full' }] });
  fetched.mockResolvedValueOnce(new Response('200 OK\n'));
  if (prompt?.kind === 'remove') prompt.onConfirm();
  await vi.waitFor(() => expect(lastMessage()).toBe('“full” deleted'));
  expect(requests().at(-1)).toBe('DELETE /api/resources/full?permanent=true');
});

test('asks before it copies to the trash what cannot be moved there', async () => {
  fetched.mockImplementation(async (input) =>
    String(input).includes('/lower') ? problemResponse(409, 'keep_needs_copy') : kept('id1'),
  );
  await removeEntries([fileAt('/a'), fileAt('/lower')], { canPurge: true });
  expect(lastMessage()).toBe('“a” moved to the trash');
  const [prompt] = usePrompts.getState().open;
  expect(prompt).toMatchObject({ kind: 'remove', needsCopy: true, entries: [{ path: '/lower' }] });
  if (prompt?.kind === 'remove') prompt.onConfirm();
  await vi.waitFor(() => expect(requests().at(-1)).toBe('POST /api/jobs'));
  const body: unknown = JSON.parse(String(fetched.mock.calls.at(-1)?.[1]?.body));
  expect(body).toMatchObject({ kind: 'delete', items: [{ from: '/lower' }], copyToTrash: true });
});

test('explains to other users what to do about an entry that the trash cannot keep', async () => {
  fetched.mockResolvedValueOnce(problemResponse(409, 'cannot_keep'));
  await removeEntries([fileAt('/full')], { canPurge: false });
  expect(usePrompts.getState().open).toEqual([]);
  expect(lastMessage()).toBe(
    '“full” was not deleted. This disk cannot keep deleted items. Free some space, or ask someone who may delete forever.',
  );
});
