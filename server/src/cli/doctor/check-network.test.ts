import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Config, readConfig } from '../../config/config.ts';
import { makeSelfSigned } from '../../../test/fixtures/self-signed.ts';
import { checkCertificate } from './check-network.ts';

const dayMs = 24 * 60 * 60 * 1000;
let folder: string;
let config: Config;
let from: number;
let to: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestead-certificate-'));
  const { cert, key } = makeSelfSigned();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const { validFrom, validTo } = new X509Certificate(cert);
  [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const args = ['--cert', 'cert.pem', '--key', 'key.pem'];
  config = await readConfig({ args, env: {}, cwd: folder, home: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a certificate is reported before its start, shortly before its end and after its end', () => {
  const at = (now: number): string[] =>
    checkCertificate(config, now).map(({ state, text }) => `${state} ${text}`);
  expect(at(from - dayMs)).toEqual([expect.stringMatching(/^error .* is valid from .* only/)]);
  expect(at(to + dayMs)).toEqual([expect.stringMatching(/^error .* has expired on /)]);
  expect(at(to - 3.5 * dayMs)).toEqual([expect.stringMatching(/^warn .* expires in 3 days/)]);
  expect(at(to - 20.5 * dayMs)).toEqual([expect.stringMatching(/^ok .*, valid for 20 days$/)]);
});
