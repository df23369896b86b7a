import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signInByApi, startProduct } from '../../e2e/support/product.ts';
import { closedLoop, cpuMicrosOf, type LoopRequest } from '../clients/closed-loop.ts';
import { makeRequestFiles, uniquePaths } from './request-files.ts';

/** A node of a CPU profile of V8. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

/** The parts of a CPU profile that are used. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * The stages of a request, each with the frames that belong to it: the name of a source file, a `/`, and a function. A sample
 * belongs to the stage of the innermost frame that has one.
 */
const stages: readonly (readonly [string, RegExp])[] = [
  ['garbage collection', /^\/\(garbage collector\)$/],
  ['loop and parser outside JavaScript', /^\/\(program\)$/],
  ['idle', /^\/\(idle\)$/],
  ['jobs of the rings', /storage\/disk\/ring\//],
  ['calls of the file system (hops)', /^node:(?:internal\/)?fs|storage\/disk\/paths\/syscalls/],
  ['journal of temporary names', /temporary-journal/],
  ['walk, locks, storage layers', /\/src\/storage\//],
  ['formatting of listings', /files\/listing\//],
  [
    'reading of bodies',
    /request\/request-body|request\/unread-body|node:internal\/streams\/(?:from|readable|end)/,
  ],
  ['files: conditions, headers, checks', /http\/files\/|\/src\/files\/|media-types|previews\//],
  ['writing to the socket', /^node:net|node:internal\/stream_base|node:internal\/streams\/|^node:tls/],
  [
    'response head and end (node:http)',
    /^node:_http_outgoing|^node:_http_server\/(?:writeHead|_writeHead|end|resOn)/,
  ],
  ['request parsing (node:http)', /^node:_http|^node:internal\/http|^node:http/],
  ['SQLite', /\/src\/database\/|sqlite|kysely/],
  ['session, user, rules', /\/src\/(?:sessions|access|users)\//],
  ['uploads (tus)', /\/src\/uploads\//],
  ['Fastify', /node_modules\/(?:fastify|find-my-way|@fastify|avvio|pino|fast-)/],
  ['our route: target, query, schemas, scheduling', /\/src\/|node_modules\/zod/],
  [
    'promises, timers, listeners',
    /^node:(?:internal\/(?:process|timers|event|abort|async|util)|events|timers)/,
  ],
];

/** Names the source of the frames of a profile, through the source maps of the bundle. */
class FrameNames {
  readonly #maps = new Map<string, Promise<SourceMap | null>>();

  /** Returns the name of a frame, as in {@link stages}. */
  async of({ callFrame }: ProfileNode): Promise<string> {
    const { url, functionName, lineNumber, columnNumber } = callFrame;
    if (!url.startsWith('file:')) return `${url}/${functionName}`;
    if (!this.#maps.has(url)) this.#maps.set(url, this.#read(url));
    const map = await this.#maps.get(url);
    const entry = map?.findEntry(lineNumber, columnNumber);
    const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : url;
    return `${new URL(source, url).pathname}/${functionName}`;
  }

  async #read(url: string): Promise<SourceMap | null> {
    const text = await readFile(`${fileURLToPath(url)}.map`, 'utf8').catch(() => null);
    return text === null
      ? null
      : new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
  }
}

/** Returns the fraction of each stage in the busy time of the profile. */
async function fractionsOf(profile: Profile): Promise<Map<string, number>> {
  const names = new FrameNames();
  const own = new Map<number, string | null>();
  const parents = new Map<number, number>();
  for (const node of profile.nodes) {
    const name = await names.of(node);
    own.set(node.id, stages.find(([, pattern]) => pattern.test(name))?.[0] ?? null);
    for (const child of node.children ?? []) parents.set(child, node.id);
  }
  const stageOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const stage = own.get(at);
      if (typeof stage === 'string') return stage;
    }
    return 'other';
  };
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const stage = stageOf(id);
    if (stage === 'idle') continue;
    const micros = profile.timeDeltas[index + 1] ?? 0;
    busy += micros;
    times.set(stage, (times.get(stage) ?? 0) + micros);
  }
  return new Map([...times].map(([stage, micros]) => [stage, micros / busy]));
}

/** Processor time of the main thread and of all threads, in microseconds. Linux only. */
async function threadMicros(pid: number): Promise<{ main: number; all: number }> {
  const read = async (path: string): Promise<number> => {
    const text = await readFile(path, 'utf8');
    // The first field of schedstat is the time on a processor in nanoseconds.
    return Number(text.split(' ')[0]) / 1000;
  };
  return { main: await read(`/proc/${pid}/task/${pid}/schedstat`), all: await cpuMicrosOf(pid) };
}

const connections = 16;
const warmSeconds = 2;
const seconds = 5;

/** Processor time per request by stage. */
interface StageTimes {
  readonly name: string;
  readonly mainMicros: number;
  readonly otherMicros: number;
  readonly fractions: ReadonlyMap<string, number>;
}

async function measureStages(name: string, root: string, request: LoopRequest): Promise<StageTimes> {
  const folder = await mkdtemp(join(tmpdir(), 'filestead-profile-'));
  const file = join(folder, 'profile.json');
  const hook = join(import.meta.dirname, '..', 'servers', 'profile-hook.mjs');
  const product = await startProduct(root, {
    nodeArgs: ['--import', hook],
    env: { FILESTEAD_PROFILE: file },
  });
  try {
    const headers = { ...request.headers, 'X-Auth': await signInByApi(product) };
    const signed = { ...request, headers };
    await closedLoop(product, signed, { connections, seconds: warmSeconds });
    const before = await threadMicros(product.pid);
    process.kill(product.pid, 'SIGUSR2');
    const { requests } = await closedLoop(product, signed, { connections, seconds });
    const after = await threadMicros(product.pid);
    process.kill(product.pid, 'SIGUSR2');
    let text: string | null = null;
    while (text === null) {
      await sleep(50);
      text = await readFile(file, 'utf8').catch(() => null);
    }
    const main = (after.main - before.main) / requests;
    return {
      name,
      mainMicros: main,
      otherMicros: (after.all - before.all) / requests - main,
      fractions: await fractionsOf(JSON.parse(text) as Profile),
    };
  } finally {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints the processor time of the main thread by stage, for the small requests. */
export async function printStages(root: string): Promise<void> {
  const files = await makeRequestFiles(root);
  const results: StageTimes[] = [];
  try {
    const body = Buffer.alloc(4096, 'u');
    const upload = { method: 'POST', path: uniquePaths('/api/resources/uploads/s'), body };
    for (const [name, request] of [
      ['file', { path: '/api/raw/small.bin' }],
      ['list', { path: '/api/resources/requests/' }],
      ['upload', upload],
    ] as const)
      results.push(await measureStages(name, root, request));
  } finally {
    await files.remove();
  }
  const micros = (value: number): string => (value < 0.5 ? '–' : String(Math.round(value)));
  const row = (title: string, valueOf: (result: StageTimes) => number): void =>
    console.log(`| ${title} | ${results.map((result) => micros(valueOf(result))).join(' | ')} |`);
  console.log(`\n| stage | ${results.map(({ name }) => `${name}, µs`).join(' | ')} |`);
  console.log(`| --- | ${results.map(() => '---:').join(' | ')} |`);
  for (const stage of [...stages.map(([title]) => title), 'other'])
    if (stage !== 'idle') row(stage, ({ fractions, mainMicros }) => (fractions.get(stage) ?? 0) * mainMicros);
  row('**main thread**', ({ mainMicros }) => mainMicros);
  row('other threads', ({ otherMicros }) => otherMicros);
}
