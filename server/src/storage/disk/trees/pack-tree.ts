import { joinPaths, segmentsOf } from '@filestead/contract/paths/virtual-path';
import { isAppError } from '../../../errors.ts';
import type { PackMessage, Question } from '../../pack/pack-protocol.ts';
import { startPacking } from '../../pack/pack-pool.ts';
import type { PackedMember, PackOptions } from '../../storage.ts';
import type { Disk } from '../disk.ts';
import { errorFromWorker } from '../paths/errors.ts';
import { pathOf } from '../paths/path-of.ts';
import { shareScopeRoot } from '../paths/shared-scope-root.ts';

/** The size of a block in bytes, and the number of blocks per archive: one is sent while the others are filled. */
const blockBytes = 512 * 1024;
const blockCount = 4;

/** The messages of a worker, to be awaited one by one. */
class Inbox {
  readonly #messages: PackMessage[] = [];
  #reason: { readonly error: unknown } | null = null;
  #wake: (() => void) | null = null;

  put(message: PackMessage): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#reason ??= { error };
    this.#wake?.();
  }

  async next(): Promise<PackMessage> {
    for (;;) {
      if (this.#reason !== null) throw this.#reason.error;
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** The positions of the entries that the caller or the guard of the scope refuses. */
function findRefused(
  { scopeRoot: { assertAllowed } }: Disk,
  members: readonly PackedMember[],
  { accept }: PackOptions,
  questions: readonly Question[],
): number[] {
  const refused: number[] = [];
  for (const [position, { member, below, real }] of questions.entries()) {
    const path = members[member]?.path;
    try {
      const isAccepted =
        accept === undefined ||
        below.length === 0 ||
        (path !== undefined && accept(joinPaths(path, pathOf(below))));
      assertAllowed?.(real);
      if (!isAccepted) refused.push(position);
    } catch (error) {
      if (!isAppError(error)) throw error;
      refused.push(position);
    }
  }
  return refused;
}

/** Packs in a worker. `onEnd` is called when the worker no longer needs a descriptor of the scope. */
export async function* packTree(
  disk: Disk,
  members: readonly PackedMember[],
  options: PackOptions,
  onEnd: () => void,
): AsyncGenerator<Uint8Array> {
  const { scopeRoot } = disk;
  const { signal } = options;
  const inbox = new Inbox();
  const stop = new SharedArrayBuffer(4);
  const onAbort = (): void => inbox.fail(signal?.reason);
  const task = startPacking(
    {
      scopeRoot: shareScopeRoot(scopeRoot),
      members: members.map(({ path, name }) => ({ names: segmentsOf(path), name })),
      container: options.container,
      isGuarded: scopeRoot.assertAllowed !== undefined || options.accept !== undefined,
      stop,
      blocks: Array.from({ length: blockCount }, () => new ArrayBuffer(blockBytes)),
    },
    (message) => {
      inbox.put(message);
      if (message.kind === 'end') onEnd();
    },
  );
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    for (;;) {
      const message = await inbox.next();
      if (message.kind === 'end') return;
      if (message.kind === 'failed') throw errorFromWorker(message.code, message.message);
      if (message.kind === 'ask') {
        task.send({
          kind: 'answer',
          id: task.id,
          refused: findRefused(disk, members, options, message.questions),
        });
        continue;
      }
      yield Buffer.from(message.block, 0, message.length);
      task.send({ kind: 'block', id: task.id, block: message.block }, [message.block]);
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    Atomics.store(new Int32Array(stop), 0, 1);
    task.send({ kind: 'stop', id: task.id });
  }
}
