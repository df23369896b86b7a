import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAt } from './open-file.ts';
import { openScopeRoot } from './open-scope-root.ts';
import { closeFolder, type Confinement } from './paths/folder.ts';
import { locate, release, type ScopeRoot } from './paths/locate.ts';
import { runAsync } from './paths/steps.ts';

describe.each<Confinement>(['descriptor', 'path'])('a file, confined by %s', (confinement) => {
  let root: string;
  let scopeRoot: ScopeRoot;
  beforeEach(async () => {
    root = fs.mkdtempSync(join(tmpdir(), 'filestead-open-'));
    for (const name of ['a.txt', 'new.txt']) fs.writeFileSync(join(root, name), name);
    scopeRoot = await openScopeRoot({ root, confinement });
  });
  afterEach(() => {
    closeFolder(scopeRoot.root);
    fs.rmSync(root, { recursive: true });
  });

  /** Opens a.txt, which `change` replaces after it was located. Returns its content. */
  async function readReplaced(change: () => void): Promise<string> {
    const located = await runAsync(locate(scopeRoot, ['a.txt'], { leaf: 'follow' }));
    change();
    try {
      const { descriptor } = await runAsync(openAt(scopeRoot, located));
      const content = fs.readFileSync(descriptor, 'utf8');
      fs.closeSync(descriptor);
      return content;
    } finally {
      release(scopeRoot, located);
    }
  }

  test('is opened in the version that replaced it', async () => {
    const replace = (): void => fs.renameSync(join(root, 'new.txt'), join(root, 'a.txt'));
    expect(await readReplaced(replace)).toBe('new.txt');
  });

  test('is not opened when a link replaced it, or nothing', async () => {
    const link = (): void => {
      fs.rmSync(join(root, 'a.txt'));
      fs.symlinkSync('new.txt', join(root, 'a.txt'));
    };
    await expect(readReplaced(link)).rejects.toMatchObject({ code: 'ELOOP' });
    fs.rmSync(join(root, 'a.txt'));
    fs.writeFileSync(join(root, 'a.txt'), '');
    await expect(readReplaced(() => fs.rmSync(join(root, 'a.txt')))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
