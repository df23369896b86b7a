import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from './fixtures.ts';
import { write } from './sample-files.ts';

/** The folder of {@link useFilesToUpload}, for one test. */
export let localFolder: string;

/** Creates a folder for the files that a test uploads, and removes it afterwards. */
export function useFilesToUpload(): void {
  test.beforeEach(async () => {
    localFolder = await mkdtemp(join(tmpdir(), 'filestead-uploads-'));
  });
  test.afterEach(async () => {
    await rm(localFolder, { recursive: true, force: true });
  });
}

/** Writes a file of random bytes into {@link localFolder}. */
export async function makeFile(name: string, bytes: number): Promise<{ path: string; content: Buffer }> {
  const content = randomBytes(bytes);
  const path = join(localFolder, name);
  await write(path, content);
  return { path, content };
}
