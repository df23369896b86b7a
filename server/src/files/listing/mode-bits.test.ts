import { expect, test } from 'vitest';
import { modeBits } from './mode-bits.ts';

test.each([
  // The examples of docs/reference/filebrowser-api.md §1.5, then each type and special bit.
  [0o040755, 2147484141],
  [0o100644, 420],
  [0o120777, 134218239],
  [0o010644, 2 ** 25 + 0o644],
  [0o140755, 2 ** 24 + 0o755],
  [0o060660, 2 ** 26 + 0o660],
  [0o020660, 2 ** 26 + 2 ** 21 + 0o660],
  [0o104755, 2 ** 23 + 0o755],
  [0o102755, 2 ** 22 + 0o755],
  [0o041777, 2 ** 31 + 2 ** 20 + 0o777],
])('st_mode %o is shown as %d', (mode, bits) => {
  expect(modeBits(mode)).toBe(bits);
});
