import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { startWorkerScript } from '../../src/programs/worker-script.ts';
import { hasSandbox } from '../has-sandbox.ts';
import { talk } from '../open-socket.ts';
import { changesBetween, snapshot } from '../security/disk-snapshot.ts';
import { startApp } from '../start-app.ts';
import { type Verb, folderVerbs, nameVerbs } from './link-verbs.ts';
import { type RaceResponse, openRaceClient } from './race-client.ts';
import {
  type SwappedPlace,
  outsideSize,
  outsideTime,
  plantOutside,
  plantPlace,
  stopIndex,
} from './swapped-places.ts';

/** The results of the attempts of one verb. */
export interface VerbTally {
  tries: number;
  /** The number of attempts during which the path was swapped, or led out at the beginning. */
  met: number;
  done: number;
  refused: number;
  /** The number of responses that were incomplete. */
  broken: number;
}

/** The result of a race. */
export interface RaceReport {
  readonly swaps: number;
  readonly requests: number;
  readonly verbs: ReadonlyMap<string, VerbTally>;
  /** Leaked or changed entries outside the scope, and errors of the server. Empty if everything is correct. */
  readonly escapes: readonly string[];
  readonly seconds: number;
}

/** The number of concurrent attempts. */
const runners = 10;

const picture = (background: { r: number; g: number; b: number }, width: number): Promise<Buffer> =>
  sharp({ create: { width, height: 32, channels: 3, background } })
    .png()
    .toBuffer();

/** Whether a picture has the color of the pictures outside. */
async function isRed(bytes: Buffer): Promise<boolean> {
  const { dominant } = await sharp(bytes).stats();
  return dominant.r > dominant.g;
}

interface Target {
  readonly name: string;
  readonly who: string;
  readonly base: string;
  readonly placeIndex: number;
  readonly verbs: Readonly<Record<string, Verb>>;
}

/** Returns the entries below a folder that contain a canary. */
function canariesIn(folder: string, canary: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.name.includes(canary) ||
        (entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(canary)),
    )
    .map((entry) => `${join(entry.parentPath, entry.name)} contains data from outside`);
}

/**
 * Swaps folders, files and links of users for links that lead out, on a thread of their own, while every verb of the API is tried on
 * them, until there were at least `swaps` swaps and every verb was tried on every place at least `triesEach` times. Then
 * the responses, the scopes and the entries outside of them are examined.
 */
export async function raceLinks({
  swaps,
  triesEach,
}: {
  swaps: number;
  triesEach: number;
}): Promise<RaceReport> {
  const started = performance.now();
  const commands = ['cat'];
  const app = await startApp({
    files: {
      'alice/own/file.txt': 'own',
      'alice/own/tree/a.txt': 'own',
      'alice/own/tree/b/c.txt': 'own',
      'alice/kept/': '',
      'alice/chain/': '',
    },
    users: [
      { username: 'alice', scope: '/alice', perm: { execute: true }, commands },
      { username: 'carol', scope: '/team/carol', perm: { execute: true }, commands },
    ],
    config: {
      ...(hasSandbox ? { enableExec: 'on' } : {}),
      commandsPerUser: '64',
      commandsAtOnce: '64',
      uploadsPerUser: '10000',
      archivesAtOnce: '64',
      jobsAtOnce: '16',
      jobsPerUser: '1000',
    },
  });
  const top = dirname(app.root);
  const canary = randomBytes(16).toString('hex');
  const green = await picture({ r: 0, g: 200, b: 0 }, 48);
  const red = await picture({ r: 220, g: 0, b: 0 }, 64);
  const inScope = (path: string): string => join(app.root, 'alice', path);
  const [out, bob] = [join(top, 'out'), join(app.root, 'bob')];
  for (const folder of [out, bob]) {
    plantOutside(folder, canary, red);
    plantOutside(join(folder, 'nested'), canary, red);
  }
  const places: SwappedPlace[] = [
    { kind: 'folder', path: inScope('swap'), swapPath: inScope('swap-aside'), outside: out },
    {
      kind: 'folder',
      path: inScope('chain/mid'),
      swapPath: inScope('chain/mid-aside'),
      outside: '../../../out',
    },
    { kind: 'folder', path: inScope('next'), swapPath: inScope('next-aside'), outside: bob },
    { kind: 'link', path: inScope('turned'), swapPath: inScope('turned-inside'), outside: out },
    {
      kind: 'file',
      path: inScope('final.txt'),
      swapPath: inScope('final-aside.txt'),
      outside: join(out, 'r.txt'),
    },
    {
      kind: 'folder',
      path: join(app.root, 'team/carol'),
      swapPath: join(app.root, 'team/carol-aside'),
      outside: out,
    },
  ];
  for (const place of places) plantPlace(place, green);
  symlinkSync(inScope('turned-inside'), inScope('turned'));
  const targets: Target[] = [
    { name: 'a folder', who: 'alice', base: '/swap', placeIndex: 0, verbs: folderVerbs },
    { name: 'the folder itself', who: 'alice', base: '/swap', placeIndex: 0, verbs: nameVerbs },
    {
      name: 'an intermediate folder',
      who: 'alice',
      base: '/chain/mid/nested',
      placeIndex: 1,
      verbs: folderVerbs,
    },
    { name: 'a folder, for another scope', who: 'alice', base: '/next', placeIndex: 2, verbs: folderVerbs },
    { name: 'a link', who: 'alice', base: '/turned', placeIndex: 3, verbs: folderVerbs },
    { name: 'a file', who: 'alice', base: '/final.txt', placeIndex: 4, verbs: nameVerbs },
    { name: 'a scope', who: 'carol', base: '', placeIndex: 5, verbs: folderVerbs },
  ];

  const escapes: string[] = [];
  const verbs = new Map<string, VerbTally>();
  const tokens = { alice: await app.signIn('alice'), carol: await app.signIn('carol') };
  const client = openRaceClient(app.url);
  const marks = [
    canary,
    String(outsideSize),
    outsideTime.toISOString().slice(0, 11),
    String(outsideTime.getTime() / 1000),
  ];
  let requests = 0;
  const examine = async (what: string, response: RaceResponse): Promise<RaceResponse> => {
    requests++;
    const { headers, status } = response;
    const body =
      response.body[0] === 0x1f && response.body[1] === 0x8b && !response.isBroken
        ? gunzipSync(response.body)
        : response.body;
    const mark = marks.find((text) => headers.includes(text) || body.includes(text));
    if (mark !== undefined) escapes.push(`${what}: ${status} discloses ${mark}`);
    if (status >= 500) escapes.push(`${what}: ${status} ${body.toString('utf8').slice(0, 200)}`);
    if (status === 200 && /\nimage\//.test(headers) && !response.isBroken && (await isRed(body)))
      escapes.push(`${what}: shows a picture from outside`);
    if (status === 0) escapes.push(`${what}: no response`);
    return response;
  };

  const before = [snapshot(out), snapshot(bob)];
  const counts = new Int32Array(new SharedArrayBuffer(4 * (places.length + 1)));
  const worker = startWorkerScript('swap-worker', new URL('./swap-worker.ts', import.meta.url));
  const stopped = new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  worker.postMessage({ places, counts, picture: green }, []);

  const all = targets.flatMap((target) =>
    Object.entries(target.verbs).map(([name, verb]) => ({ target, name, verb })),
  );
  const swapsSoFar = (): number =>
    places.reduce((sum, _place, index) => sum + Math.floor(Atomics.load(counts, index) / 2), 0);
  let next = 0;
  const isEnough = (): boolean => next >= all.length * triesEach && swapsSoFar() >= swaps;
  const run = async (): Promise<void> => {
    while (!isEnough()) {
      const n = next++;
      const chosen = all[n % all.length];
      if (chosen === undefined || (chosen.name === 'command' && !hasSandbox)) continue;
      const { target, name, verb } = chosen;
      const token = target.who === 'alice' ? tokens.alice : tokens.carol;
      const what = `${name} of ${target.name}`;
      const countBefore = Atomics.load(counts, target.placeIndex);
      if (name === 'move here') writeFileSync(inScope(`own/give-${n % 500}.txt`), 'own');
      const [first] = await verb({
        base: target.base,
        n,
        send: async (method, path, sent) => examine(what, await client.send(token, method, path, sent)),
        visit: async (method, path, sent) => examine(what, await client.send('', method, path, sent)),
        command: async (folder, line) => {
          const printed = await talk(app, `/api/command${folder}`, [line], { token }).catch(() => ({
            lines: [],
          }));
          const text = printed.lines.join('\n');
          if (text.includes(canary)) escapes.push(`${what}: prints data from outside`);
          return text;
        },
      });
      const tally = verbs.get(name) ?? { tries: 0, met: 0, done: 0, refused: 0, broken: 0 };
      verbs.set(name, tally);
      tally.tries++;
      if (countBefore % 2 === 1 || Atomics.load(counts, target.placeIndex) !== countBefore) tally.met++;
      if (first?.isBroken === true) tally.broken++;
      else if ((first?.status ?? 500) < 300) tally.done++;
      else tally.refused++;
    }
  };
  mkdirSync(inScope('kept'), { recursive: true });
  try {
    await Promise.all(Array.from({ length: runners }, run));
    Atomics.store(counts, stopIndex(places), 1);
    await stopped;
    const health = await app.fetch('/health');
    if (health.status !== 200) escapes.push(`the server is not healthy: ${health.status}`);
    const after = [snapshot(out), snapshot(bob)];
    for (const [index, old] of before.entries()) {
      const changes = changesBetween(old, after[index] ?? new Map(), []);
      escapes.push(...changes.map((path) => `changed outside: ${path}`));
    }
    for (const scope of ['alice', 'team']) escapes.push(...canariesIn(join(app.root, scope), canary));
    for (const line of app.log) {
      if (line.includes(canary)) escapes.push('the log contains data from outside');
      if (/"level":(?:50|60)/.test(line)) escapes.push(`log: ${line.slice(0, 600)}`);
    }
  } finally {
    Atomics.store(counts, stopIndex(places), 1);
    client.close();
    await app.close();
  }
  return { swaps: swapsSoFar(), requests, verbs, escapes, seconds: (performance.now() - started) / 1000 };
}
