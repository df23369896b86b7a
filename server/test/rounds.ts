const text = process.env['FILESTEAD_TEST_ROUNDS'] ?? '1';
const factor = Number(text);
if (!Number.isFinite(factor) || factor < 1)
  throw new Error(`FILESTEAD_TEST_ROUNDS must be a number of at least 1, not "${text}"`);

/**
 * Returns the number of rounds of a test that repeats random or exhaustive work: `count`, which is enough to find the fault that
 * the test guards against, times the environment variable `FILESTEAD_TEST_ROUNDS`.
 */
export function rounds(count: number): number {
  return Math.ceil(count * factor);
}
