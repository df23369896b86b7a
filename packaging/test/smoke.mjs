// Tests a running Filestead from outside, for every form of installation: health, page, listing, uploads, checksums, pictures of
// eight kinds, archives of nine formats, search and the description of the API.
// node packaging/test/smoke.mjs URL PASSWORD [SKIPPED, such as film,zstd]; the user is admin, and needs an empty served folder.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const samples = new URL('samples/', import.meta.url);
const sampleNames = readdirSync(samples).toSorted();
const text = 'all work and no play\n'.repeat(5_000);
const minPictureBytes = 200;

/** Checks of the archive formats: by the magic number, or by the content of formats without one. */
const archiveChecks = {
  zip: (bytes) => bytes.subarray(0, 2).toString() === 'PK' && bytes.includes('report.txt'),
  tar: (bytes) => bytes.subarray(257, 262).toString() === 'ustar' && bytes.includes('report.txt'),
  targz: (bytes) => gunzipSync(bytes).includes(text),
  tarbz2: (bytes) => bytes.subarray(0, 3).toString() === 'BZh',
  tarxz: (bytes) => bytes.subarray(0, 6).toString('hex') === 'fd377a585a00',
  tarlz4: (bytes) => bytes.readUInt32LE(0) === 0x184d2204,
  tarsz: (bytes) => bytes.subarray(4, 10).toString() === 'sNaPpY',
  tarbr: (bytes) => brotliDecompressSync(bytes).includes(text),
  tarzst: (bytes) => bytes.readUInt32LE(0) === 0xfd2fb528,
};

/** Creates a client of one server; it is signed in once `signIn` was called. */
function clientOf(url) {
  let token = '';
  const request = async (path, { expected = 200, ...init } = {}) => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { ...(token === '' ? {} : { 'x-auth': token }), ...init.headers },
      signal: AbortSignal.timeout(60_000),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== expected) {
      throw new Error(`${path} was answered with ${response.status}: ${bytes.subarray(0, 200).toString()}`);
    }
    return { bytes, headers: response.headers };
  };
  const json = async (path) => JSON.parse((await request(path)).bytes.toString());
  const signIn = async (password) => {
    const { bytes } = await request('api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    });
    token = bytes.toString();
  };
  return { request, json, signIn };
}

function assert(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

/** Returns all checks by name, in order; later ones depend on earlier ones. */
function checksOf({ request, json, signIn }, password) {
  const checks = {
    health: async () => assert((await json('health')).status === 'OK', 'the status is not OK'),
    'sign in': () => signIn(password),
    page: async () => {
      const page = (await request('login')).bytes.toString();
      const [, script] = /src="\.?\/?([^"]+\.js)"/.exec(page) ?? [];
      const { headers, bytes } = await request(script, { headers: { 'accept-encoding': 'br' } });
      assert(headers.get('content-encoding') === 'br' && bytes.length > 1_000, 'no script in Brotli');
    },
    upload: async () => {
      const upload = (path, body) => request(`api/resources/${path}`, { method: 'POST', body });
      await upload('docs/report.txt', text);
      for (const name of sampleNames) await upload(name, readFileSync(new URL(name, samples)));
    },
    listing: async () => {
      const names = (await json('api/resources/')).items.map(({ name }) => name);
      assert(
        ['docs', ...sampleNames].every((name) => names.includes(name)),
        `only ${names.join(' ')}`,
      );
    },
    search: async () => {
      const [found] = await json('api/search/?query=report');
      assert(found?.path === 'docs/report.txt', `found ${JSON.stringify(found)}`);
    },
    openapi: async () => assert((await json('api/openapi.json')).openapi.startsWith('3.'), 'no OpenAPI 3'),
  };
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
    checks[algorithm] = async () => {
      const { checksums } = await json(`api/resources/docs/report.txt?checksum=${algorithm}`);
      assert(
        checksums[algorithm] === createHash(algorithm).update(text).digest('hex'),
        'the checksum differs',
      );
    };
  }
  for (const name of sampleNames) {
    for (const size of ['thumb', 'big']) {
      checks[`${name} ${size}`] = async () => {
        const { bytes, headers } = await request(`api/preview/${size}/${name}`);
        assert(headers.get('content-type')?.startsWith('image/'), 'no picture');
        assert(bytes.length > minPictureBytes, `only ${bytes.length} bytes`);
      };
    }
  }
  for (const [format, isComplete] of Object.entries(archiveChecks)) {
    checks[format] = async () =>
      assert(isComplete((await request(`api/raw/docs?algo=${format}`)).bytes), 'the archive is not valid');
  }
  return checks;
}

/**
 * Runs all checks against the server at `url`, which ends with a slash. `skipped` names checks whose program is missing on this machine:
 * they must fail, so that no working check is skipped. Returns the number of checks that passed, and the failures.
 */
export async function smoke(url, password, skipped = []) {
  const checks = Object.entries(checksOf(clientOf(url), password));
  const failures = [];
  let passed = 0;
  for (const [name, check] of checks) {
    const isSkipped = skipped.some((part) => name.includes(part));
    try {
      await check();
      if (isSkipped) failures.push(`${name}: passed although it was to be skipped`);
      else passed += 1;
    } catch (error) {
      if (!isSkipped) failures.push(`${name}: ${error.message}`);
    }
  }
  return { passed, all: checks.length, failures };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, password, skipped = ''] = process.argv.slice(2);
  const { passed, all, failures } = await smoke(url, password, skipped.split(',').filter(Boolean));
  for (const failure of failures) process.stdout.write(`FAILED: ${failure}\n`);
  process.stdout.write(`smoke: ${passed} of ${all} checks passed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
