import { expect } from 'vitest';

/** Compares buffers at once: Vitest compares each byte as a property, which takes seconds for a few megabytes. */
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined,
]);
