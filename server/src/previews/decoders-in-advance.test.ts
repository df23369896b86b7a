import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../test/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ files: { '/texts/a.txt': 'a', '/photos/a.jpg': 'a picture by its name' } });
});
afterAll(() => app.close());

/** Returns the ids of the child processes of this process. */
const childProcesses = (): Set<string> =>
  new Set(
    readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    ),
  );

test.runIf(process.platform === 'linux')(
  'decoders are started when a folder with pictures is listed, before the first one is requested',
  async () => {
    const token = await app.signIn('admin');
    const list = async (folder: string): Promise<void> => {
      const response = await app.fetch(`/api/resources/${folder}`, { token });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    };
    const before = childProcesses();
    const added = (): number => [...childProcesses()].filter((id) => !before.has(id)).length;
    await list('texts/');
    expect(added()).toBe(0);
    await list('photos/');
    expect(added()).toBeGreaterThan(0);
  },
);
