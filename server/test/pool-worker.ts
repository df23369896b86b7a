import { parentPort, threadId } from 'node:worker_threads';

/** A request for the worker of the pool's tests. */
export interface TestRequest {
  readonly id: number;
  /** `wait` is never answered. */
  readonly kind: 'echo' | 'count' | 'wait' | 'exit' | 'throw';
  readonly value?: number;
}

export interface TestMessage {
  readonly id: number;
  readonly value: number;
  readonly threadId: number;
  readonly isLast: boolean;
}

const post = (message: Omit<TestMessage, 'threadId'>): void =>
  parentPort?.postMessage({ ...message, threadId } satisfies TestMessage, []);

parentPort?.on('message', ({ id, kind, value = 0 }: TestRequest) => {
  switch (kind) {
    case 'echo':
      return post({ id, value, isLast: true });
    case 'count':
      for (let number = 1; number <= value; number++) post({ id, value: number, isLast: number === value });
      return undefined;
    case 'wait':
      return undefined;
    case 'exit':
      return process.exit(3);
    case 'throw':
      throw new RangeError('out of range');
  }
});
