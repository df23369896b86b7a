import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alice, app, client, plan, useVersionsApp } from '../../test/fixtures/versions-app.ts';

useVersionsApp();

describe('the version of a path', () => {
  test('is sent by downloads and previews with its id', async () => {
    const drawing = (color: string): string => `<svg xmlns="http://www.w3.org/2000/svg" fill="${color}"/>`;
    writeFileSync(join(app.root, 'docs/drawing.svg'), drawing('red'));
    await alice.save('/docs/drawing.svg', drawing('blue'));
    symlinkSync('drawing.svg', join(app.root, 'docs/link.svg'));
    const { id } = await alice.version('/docs/drawing.svg');
    for (const path of [
      '/api/raw/docs/drawing.svg',
      '/api/raw/docs/link.svg',
      '/api/preview/thumb/docs/drawing.svg',
    ]) {
      const response = await alice.send('GET', `${path}?version=${id}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(drawing('red'));
    }
  });

  test('is not sent for another file, for a folder, without permission, or with other entries', async () => {
    await alice.save(plan, 'two');
    const { id } = await alice.version(plan);
    const status = (path: string, as = alice): Promise<number> =>
      as.status('GET', `/api/raw${path}?version=${id}`);
    expect(await status(plan)).toBe(200);
    for (const path of ['/docs/other.txt', '/docs/', '/docs/missing.txt', '/'])
      expect(await status(path)).toBe(404);
    expect(await status('/own.txt', await client('scoped'))).toBe(404);
    expect(await status(plan, await client('ruled'))).toBe(404);
    expect(await status(plan, await client('blind'))).toBe(403);
    expect(await alice.status('GET', `/api/raw${plan}?version=${id}&files=a`)).toBe(400);
    expect(await alice.status('GET', `/api/raw${plan}?version=short`)).toBe(400);
    expect(await alice.status('GET', `/api/preview/thumb/docs/other.txt?version=${id}`)).toBe(404);
  });
});
