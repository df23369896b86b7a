import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@filestead/contract/endpoints';
import { errorStatus } from '@filestead/contract/errors';
import { expect, test } from 'vitest';
import { options } from '../../src/config/options.ts';
import { cases } from './cases.ts';
import { notApplicable } from './not-applicable.ts';

const top = join(import.meta.dirname, '..', '..', '..');
const sources = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
const tried = new Set(
  sources.flatMap((text) => [...text.matchAll(/\battack\(\s*'([A-Z]{2}-\d{2})'/g)].map(([, id]) => id)),
);

test.each(Object.keys(cases))('%s is tested or listed as not applicable', (id) => {
  expect(id in notApplicable).toBe(!tried.has(id));
});

test.each(Object.entries(notApplicable))(
  '%s has a reason, and the tests that it names exist',
  (_id, { reason, provenBy = [] }) => {
    expect(reason.length).toBeGreaterThan(20);
    for (const path of provenBy) expect(existsSync(join(top, path)), path).toBe(true);
  },
);

test('the list of endpoints for anyone is complete', () => {
  const open = endpoints.filter(({ access }) => access === 'anyone').map(({ id }) => id);
  expect(open.sort()).toEqual([
    'checkProxy',
    'createPublicArchive',
    'getApiManual',
    'getHealth',
    'getLive',
    'getOpenApi',
    'getPublicArchive',
    'getPublicDownload',
    'getPublicPreview',
    'getPublicShare',
    'getPublicSubtitle',
    'getReady',
    'getTusOptions',
    'listPublicMedia',
    'login',
    'signup',
  ]);
});

test('every endpoint with a body declares its maximum size, or reads it as a stream', () => {
  for (const { id, body, maxBodyBytes } of endpoints) {
    if (body === undefined || body === 'bytes') continue;
    expect(maxBodyBytes ?? 0, id).toBeGreaterThan(0);
    expect(maxBodyBytes ?? 0, id).toBeLessThanOrEqual(32 * 1024 * 1024);
  }
});

test('no error reveals more than its code', () => {
  for (const [code, status] of Object.entries(errorStatus)) {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(status).toBeGreaterThanOrEqual(400);
  }
});

test('the limits that load tests have to raise are options', () => {
  const names = options.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'loginAttemptsPerName',
      'loginAttemptsPerAddress',
      'loginWindow',
      'signupsPerAddress',
      'signupWindow',
      'sessionsPerUser',
      'maxUploadSize',
      'uploadsPerUser',
      'uploadExpiration',
      'archivesAtOnce',
      'jobsAtOnce',
      'jobsPerUser',
      'commandsPerUser',
      'commandsAtOnce',
      'commandTimeout',
      'commandOutput',
      'commandMemory',
      'cacheSize',
      'imageProcessors',
    ]),
  );
});
