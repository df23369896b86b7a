/**
 * Returns the bundled script `name` that a run of the tests has made from the current source, which starts faster than the
 * source. Undefined outside of tests. Only servers that run from their source call this.
 */
export function bundledForTests(name: string): string | undefined {
  const scripts = JSON.parse(process.env.FILESTEAD_TEST_SCRIPTS ?? '{}') as Record<string, string>;
  return Object.hasOwn(scripts, name) ? scripts[name] : undefined;
}
