import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endpoints } from '@filestead/contract/endpoints';
import { errorStatus } from '@filestead/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../../test/start-app.ts';
import { createProof } from '../database/proxy-proof.ts';
import { version } from '../version.ts';
import { proofHeader } from './proof-header.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('the health check reports that the database can be read', async () => {
  const response = await app.fetch('/health');
  expect([response.status, await response.text()]).toEqual([200, '{"status":"OK"}']);
  expect((await app.fetch('/health', { method: 'HEAD' })).status).toBe(200);
});

type Json = Record<string, unknown>;
interface Operation extends Json {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  responses: Record<string, { description: string; content?: Record<string, Json> }>;
}
interface OpenApi extends Json {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; securitySchemes: Json };
}

describe('the OpenAPI document', () => {
  let document: OpenApi;
  beforeAll(async () => {
    const response = await app.fetch('/api/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    document = (await response.json()) as OpenApi;
  });
  const operations = (): Operation[] => Object.values(document.paths).flatMap((path) => Object.values(path));

  test('contains every endpoint once', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.sort()).toEqual(endpoints.map(({ id }) => id).sort());
  });

  test('declares exactly the parameters of each path, each once', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      for (const { parameters } of Object.values(methods)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path');
        expect(declared.map(({ name }) => name).sort(), path).toEqual(inPath);
        expect(declared.every(({ required }) => required)).toBe(true);
        const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  test('describes a response for every success and every error', () => {
    for (const { operationId, responses } of operations()) {
      const endpoint = endpoints.find(({ id }) => id === operationId);
      const expected = new Set([
        ...Object.keys(endpoint?.responses ?? {}),
        ...(endpoint?.errors ?? []).map((code) => String(errorStatus[code])),
      ]);
      expect(Object.keys(responses).sort(), operationId).toEqual([...expected].sort());
      for (const response of Object.values(responses)) expect(response.description).not.toBe('');
    }
  });

  test('resolves every reference and declares every tag and security scheme', () => {
    const text = JSON.stringify(document);
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas).toHaveProperty(name);
    }
    expect(text.match(/"\$ref":"(?!#\/components\/schemas\/)/)).toBeNull();
    const tags = (document.tags as { name: string }[]).map(({ name }) => name);
    for (const operation of operations()) {
      expect(tags).toContain((operation.tags as string[])[0]);
      for (const scheme of operation.security as Json[]) {
        expect(Object.keys(document.components.securitySchemes)).toEqual(
          expect.arrayContaining(Object.keys(scheme)),
        );
      }
    }
  });
});

test('the manual is one page without scripts that shows every endpoint', async () => {
  const response = await app.fetch('/api/docs');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script|unsafe/);
  const page = await response.text();
  expect(page).not.toMatch(/<script|\son\w+=|javascript:/i);
  for (const { id } of endpoints) expect(page).toContain(`id="${id}"`);
  const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

describe('readiness', () => {
  const readiness = async (): Promise<[number, unknown]> => {
    const response = await app.fetch('/health/ready');
    return [response.status, await response.json()];
  };
  const ready = [200, { status: 'ready', reasons: [], notes: [] }];

  test('a server is alive and ready', async () => {
    const live = await app.fetch('/health/live');
    expect([live.status, await live.text()]).toEqual([200, '{"status":"OK"}']);
    expect(await readiness()).toEqual(ready);
    expect((await app.fetch('/health/ready', { method: 'HEAD' })).status).toBe(200);
    expect((await app.fetch('/health/live', { method: 'POST' })).status).toBe(405);
  });

  test('the version is disclosed only with a proof that the caller can write into the data folder', async () => {
    const versionWith = async (headers: Record<string, string>): Promise<unknown> => {
      const response = await app.fetch('/health/ready', { headers });
      return ((await response.json()) as { version?: unknown }).version;
    };
    expect(await versionWith({ [proofHeader]: 'a'.repeat(64) })).toBeUndefined();
    const proof = createProof(app.data);
    expect(await versionWith({ [proofHeader]: proof.text })).toBe(version);
    expect(await versionWith({ [proofHeader]: 'a'.repeat(64) })).toBeUndefined();
    proof.remove();
    expect(await versionWith({ [proofHeader]: proof.text })).toBeUndefined();
  });

  test('a server without its served folder is alive but not ready, and names no path', async () => {
    await rename(app.root, `${app.root}.away`);
    try {
      expect(await readiness()).toEqual([
        503,
        { status: 'not_ready', reasons: ['root_unavailable'], notes: [] },
      ]);
      expect((await app.fetch('/health/live')).status).toBe(200);
    } finally {
      await rename(`${app.root}.away`, app.root);
    }
    expect(await readiness()).toEqual(ready);
  });

  test('a server whose database was removed is alive but not ready', async () => {
    const own = await startApp();
    try {
      await rename(join(own.data, 'filestead.db'), join(own.data, 'away.db'));
      const response = await own.fetch('/health/ready');
      expect([response.status, await response.json()]).toEqual([
        503,
        { status: 'not_ready', reasons: ['database_unavailable'], notes: [] },
      ]);
      expect((await own.fetch('/health/live')).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  test('a server with less free disk space than --minFreeSpace is not ready', async () => {
    const own = await startApp({ config: { minFreeSpace: '8000TiB' } });
    try {
      const response = await own.fetch('/health/ready');
      expect([response.status, await response.json()]).toMatchObject([503, { reasons: ['disk_space_low'] }]);
    } finally {
      await own.close();
    }
  });

  test('a server that is stopping is not ready while it finishes a transfer', async () => {
    const own = await startApp({ files: { 'large.bin': Buffer.alloc(32 * 1024 * 1024) } });
    const token = await own.signIn('admin');
    const { port } = new URL(own.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET /api/raw/large.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n\r\n`);
    await once(socket, 'readable');
    const stopped = own.instance.close();
    socket.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n');
    let end = Buffer.alloc(0);
    for await (const piece of socket) end = Buffer.concat([end, piece as Buffer]).subarray(-4_096);
    await stopped;
    await own.close();
    expect(end.toString('latin1')).toMatch(
      /HTTP\/1\.1 503 [\s\S]*\{"status":"not_ready","reasons":\["stopping"\],"notes":\[\]\}$/,
    );
  });
});
