import { readOnlyDisk } from '@filestead/contract/errors';
import { expect, test } from 'vitest';
import { ApiError } from '../../../api/call.ts';
import { EditSession } from './edit-session.ts';

/** A file on a server that checks versions. {@link RemoteFile.changeElsewhere} simulates a change by another user. */
class RemoteFile {
  content = 'old';
  number = 1;
  isReachable = true;
  readonly #pending: (() => void)[] = [];
  #isSlow = false;

  get version(): string {
    return `"${this.number}"`;
  }
  hold(): void {
    this.#isSlow = true;
  }
  release(): void {
    this.#isSlow = false;
    for (const resume of this.#pending.splice(0)) resume();
  }
  changeElsewhere(content: string): void {
    this.content = content;
    this.number += 1;
  }
  save = async (doc: string, ifVersion: string | null) => {
    if (this.#isSlow) await new Promise<void>((resume) => this.#pending.push(resume));
    if (!this.isReachable) throw Object.assign(new Error('away'), { code: 'no_connection' });
    if (ifVersion !== null && ifVersion !== this.version) {
      throw Object.assign(new Error('changed'), { code: 'precondition_failed' });
    }
    this.changeElsewhere(doc);
    return { version: this.version };
  };
}

function open() {
  const remote = new RemoteFile();
  const session = new EditSession({
    doc: remote.content,
    version: remote.version,
    save: remote.save,
    isEqual: (first, second) => first === second,
  });
  return { remote, session };
}

test('a session is dirty after a change, and clean after the change is reverted', () => {
  const { session } = open();
  session.change('new');
  expect(session.getSnapshot().isDirty).toBe(true);
  session.change('old');
  expect(session.getSnapshot().isDirty).toBe(false);
});

test('saves against the version that the previous save returned', async () => {
  const { remote, session } = open();
  session.change('one');
  expect(await session.save()).toBe(true);
  session.change('two');
  expect(await session.save()).toBe(true);
  expect(remote.content).toBe('two');
  expect(session.getSnapshot()).toMatchObject({ isDirty: false, isSaving: false, problem: null });
  expect(session.getSnapshot().savedMs).not.toBeNull();
});

test('sends nothing without changes', async () => {
  const { remote, session } = open();
  expect(await session.save()).toBe(true);
  expect(remote.number).toBe(1);
});

test('keeps text that is typed while saving as unsaved', async () => {
  const { remote, session } = open();
  remote.hold();
  session.change('one');
  const saving = session.save();
  session.change('one more');
  remote.release();
  expect(await saving).toBe(true);
  expect(remote.content).toBe('one');
  expect(session.getSnapshot().isDirty).toBe(true);
});

test('makes a second save wait for the first and send the newer text', async () => {
  const { remote, session } = open();
  remote.hold();
  session.change('one');
  const first = session.save();
  session.change('two');
  const second = session.save();
  remote.release();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(remote.content).toBe('two');
});

test('does not overwrite a version that another user has changed', async () => {
  const { remote, session } = open();
  session.change('mine');
  remote.changeElsewhere('theirs');
  expect(await session.save()).toBe(false);
  expect(remote.content).toBe('theirs');
  expect(session.getSnapshot()).toMatchObject({ problem: { kind: 'conflict' }, isDirty: true });
  expect(await session.save({ overwrite: true })).toBe(true);
  expect(remote.content).toBe('mine');
  expect(session.getSnapshot()).toMatchObject({ problem: null, isDirty: false });
  session.change('mine again');
  expect(await session.save()).toBe(true);
});

test("loads the server's version after a conflict", async () => {
  const { remote, session } = open();
  session.change('mine');
  remote.changeElsewhere('theirs');
  await session.save();
  session.reload(remote.content, remote.version);
  expect(session.getSnapshot()).toMatchObject({ problem: null, isDirty: false });
  session.change('theirs and mine');
  expect(await session.save()).toBe(true);
  expect(remote.content).toBe('theirs and mine');
});

test('distinguishes a refusal by the disk from a missing permission', async () => {
  const error = new ApiError(403, 'forbidden', { detail: readOnlyDisk });
  const session = new EditSession({
    doc: 'old',
    version: null,
    save: () => Promise.reject(error),
    isEqual: Object.is,
  });
  session.change('mine');
  expect(await session.save()).toBe(false);
  expect(session.getSnapshot().problem).toEqual({ kind: 'failed', code: 'readOnlyDisk' });
});

test('keeps the text and the reason after a failed save, and clears it on the next attempt', async () => {
  const { remote, session } = open();
  session.change('mine');
  remote.isReachable = false;
  expect(await session.save()).toBe(false);
  expect(session.getSnapshot()).toMatchObject({
    isDirty: true,
    problem: { kind: 'failed', code: 'no_connection' },
  });
  remote.isReachable = true;
  expect(await session.save()).toBe(true);
  expect(session.getSnapshot().problem).toBeNull();
});
