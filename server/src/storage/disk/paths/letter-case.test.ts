import { link, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ignoresCase, isCaseIgnoredAt, type ProbedFolder, readLetterCases } from './letter-case.ts';

/** A folder of a case-insensitive or case-sensitive disk. */
function folderOf(names: readonly string[], isIgnoring: boolean, isWritable = true) {
  const existing = new Set(names);
  const key = (name: string): string => (isIgnoring ? name.toLowerCase() : name);
  const folder: ProbedFolder = {
    async *names() {
      yield* existing;
    },
    identityOf: async (name) => [...existing].map(key).find((each) => each === key(name)) ?? null,
    create: async (name) => isWritable && existing.add(name) !== null,
    remove: async (name) => void existing.delete(name),
  };
  return { folder, existing };
}

test.each([
  ['the first name with letters', ['123', 'Photo.jpg'], true, true],
  ['the first name with letters', ['123', 'Photo.jpg'], false, false],
  ['two names that differ in case', ['a', 'A'], false, false],
  ['a probe where no name has letters', ['123'], true, true],
  ['a probe where no name has letters', [], false, false],
] as const)(
  'probing %s of %j reports a case-insensitive disk: %j',
  async (_, names, isIgnoring, expected) => {
    const { folder, existing } = folderOf(names, isIgnoring);
    expect(await ignoresCase(folder)).toBe(expected);
    expect([...existing]).toEqual([...names]);
  },
);

test('probing an empty read-only folder returns null', async () => {
  expect(await ignoresCase(folderOf([], true, false).folder)).toBeNull();
});

test('probing the real disk leaves nothing behind', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'filestead-case-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const [empty] = await readLetterCases(root);
  expect(empty?.names).toEqual([]);
  expect(await readdir(root)).toEqual([]);
  await writeFile(path.join(root, 'name'), '');
  expect(await readLetterCases(root)).toEqual([empty]);
  if (empty?.isIgnored === true) return;
  // Two hard links to one file are not one name.
  await link(path.join(root, 'name'), path.join(root, 'NAME'));
  expect(await readLetterCases(root)).toEqual([empty]);
});

test('the innermost file system decides about a path', () => {
  const cases = [
    { names: [], isIgnored: false },
    { names: ['media', 'stick'], isIgnored: true },
    { names: ['media', 'stick', 'image'], isIgnored: false },
  ];
  expect(isCaseIgnoredAt(cases, [])).toBe(false);
  expect(isCaseIgnoredAt(cases, ['media', 'sticky'])).toBe(false);
  expect(isCaseIgnoredAt(cases, ['media', 'stick', 'a'])).toBe(true);
  expect(isCaseIgnoredAt(cases, ['media', 'stick', 'image', 'a'])).toBe(false);
  expect(isCaseIgnoredAt([], ['a'])).toBe(false);
});
