import { expect, test } from 'vitest';
import { EditSession } from './edit-session.ts';

/** One file on a server that checks versions; other people's changes come by {@link RemoteFile.changeElsewhere}. */
class RemoteFile {
  content = 'old';
  number = 1;
  isReachable = true;
  readonly #held: (() => void)[] = [];
  #isSlow = false;

  get version(): string {
    return `"${this.number}"`;
  }
  hold(): void {
    this.#isSlow = true;
  }
  release(): void {
    this.#isSlow = false;
    for (const go of this.#held.splice(0)) go();
  }
  changeElsewhere(content: string): void {
    this.content = content;
    this.number += 1;
  }
  save = async (doc: string, ifVersion: string | null) => {
    if (this.#isSlow) await new Promise<void>((go) => this.#held.push(go));
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

test('a change makes it dirty, taking it back makes it clean', () => {
  const { session } = open();
  session.change('new');
  expect(session.getSnapshot().isDirty).toBe(true);
  session.change('old');
  expect(session.getSnapshot().isDirty).toBe(false);
});

test('each save goes against the version that the last one answered', async () => {
  const { remote, session } = open();
  session.change('one');
  expect(await session.save()).toBe(true);
  session.change('two');
  expect(await session.save()).toBe(true);
  expect(remote.content).toBe('two');
  expect(session.getSnapshot()).toMatchObject({ isDirty: false, isSaving: false, problem: null });
  expect(session.getSnapshot().savedMs).not.toBeNull();
});

test('nothing is sent when nothing has changed', async () => {
  const { remote, session } = open();
  expect(await session.save()).toBe(true);
  expect(remote.number).toBe(1);
});

test('what is typed while saving stays unsaved', async () => {
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

test('a second save waits for the first and sends what came since', async () => {
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

test('a version that somebody else has changed is not overwritten', async () => {
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

test('after a conflict the version of the server can be taken over', async () => {
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

test('a failed save keeps the text and its reason, and the next attempt clears it', async () => {
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
