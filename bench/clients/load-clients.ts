// Hundreds of concurrent clients, in a separate process so that their load does not slow down the measured user.
// Started by load.ts: SCENARIO URL TOKEN SECONDS. Prints the number of responses by status as JSON.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [scenario = '', url = '', token = '', seconds = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const endMs = Date.now() + Number(seconds) * 1000;
const isOver = (): boolean => Date.now() >= endMs;
type Headers = Readonly<Record<string, string>>;
const headers: Headers = { 'X-Auth': token };
/** Requests of a visitor without a session. */
const anonymous: Headers = { 'Content-Type': 'application/json' };
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const counts: Record<string, number> = {};
const count = (key: string): void => void (counts[key] = (counts[key] ?? 0) + 1);

/** Sends one request and discards the response. A broken connection counts as the status 0. */
function send(
  path: string,
  method = 'GET',
  body?: Uint8Array,
  requestHeaders: Headers = headers,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (key: string): void => {
      count(key);
      resolve();
    };
    const outgoing = request(`${url}${path}`, { method, headers: requestHeaders, agent }, (response) => {
      response.resume();
      response.on('end', () => done(String(response.statusCode)));
      response.on('error', () => done('0'));
    });
    outgoing.on('error', () => done('0'));
    outgoing.end(body);
  });
}

/** Runs `clients` loops of `work` concurrently, with a pause after each call, until the time is over. */
async function runClients(
  clients: number,
  pauseMs: number,
  work: (client: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      await sleep((pauseMs * client) / clients);
      while (!isOver()) {
        await work(client);
        await sleep(pauseMs);
      }
    }),
  );
}

/** Opens connections that send `head` and then call `onConnect`, and keeps them open until the time is over. */
async function openSockets(
  number: number,
  head: string,
  onConnect: (socket: Socket) => void = () => {},
): Promise<void> {
  const open: Socket[] = [];
  for (let i = 0; i < number && !isOver(); i++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => count('refused'));
    socket.on('connect', () => {
      count('connected');
      if (head !== '') socket.write(head);
      onConnect(socket);
    });
    open.push(socket);
    if (i % 50 === 49) await sleep(10);
  }
  await sleep(Math.max(0, endMs - Date.now()));
  for (const socket of open) socket.destroy();
}

const head = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Auth: ${token}\r\n${more}\r\n`;
const mebibyte = Buffer.alloc(1024 * 1024, 'load');

/** Creates a share of `folder`. Returns its hash. */
async function createShare(folder: string): Promise<string> {
  const response = await fetch(`${url}/api/share/${folder}/`, { method: 'POST', headers, body: '{}' });
  return ((await response.json()) as { hash: string }).hash;
}

/** Returns a JSON object whose `paths` contains identical members, of about `bytes` in total. */
const jsonWithPaths = (member: string, bytes: number): Uint8Array =>
  Buffer.from(`{"paths":[${`${member},`.repeat(Math.floor(bytes / (member.length + 1)) - 8)}${member}]}`);

const scenarios: Record<string, () => Promise<unknown>> = {
  browse: () =>
    runClients(300, 250, async (client) => {
      await send('/api/resources/busy/');
      await send(`/api/raw/busy/file%20${client % 100}.txt`);
    }),
  transfer: () =>
    Promise.all([
      runClients(100, 50, (client) =>
        send(`/api/resources/up/${client}.bin?override=true`, 'POST', mebibyte),
      ),
      runClients(100, 50, () => send('/api/raw/eight.bin')),
    ]),
  slow: () =>
    Promise.all([
      openSockets(300, head('GET', '/api/raw/large.bin'), (socket) => socket.pause()),
      openSockets(
        300,
        head('POST', '/api/resources/up/slow.bin?override=true', 'Content-Length: 1000000\r\n'),
        (socket) => {
          const timer = setInterval(() => socket.write('x'), 1000);
          socket.on('close', () => clearInterval(timer));
        },
      ),
    ]),
  idle: () => openSockets(4_000, ''),
  folder: () =>
    Promise.all([
      runClients(8, 0, () => send('/api/resources/many/')),
      runClients(4, 0, () => send('/api/search/deep?query=file')),
    ]),
  bombs: () =>
    Promise.all([
      runClients(16, 100, (client) => send(`/api/preview/big/bombs/${client % 4}.png?key=${Date.now()}`)),
      openSockets(8, head('GET', '/api/raw/sparse/?algo=zip'), (socket) => socket.resume()),
    ]),
  pictures: async () => {
    const hash = await createShare('pictures');
    // Begins at another picture in each round, because previews of earlier rounds are cached.
    const first = Date.now();
    await runClients(700, 0, (client) =>
      send(
        `/api/public/preview/thumb/${hash}/${(first + client) % 700}.jpg?key=${Date.now()}`,
        'GET',
        undefined,
        anonymous,
      ),
    );
  },
  sums: () => runClients(40, 0, () => send('/api/resources/two.bin?checksum=sha256')),
  bodies: async () => {
    const hash = await createShare('busy');
    const ofVisitor = jsonWithPaths('[]', 1024 * 1024);
    const hostile = jsonWithPaths('[]', 30 * 1024 * 1024);
    const paths = jsonWithPaths(`"/${'folder/'.repeat(20)}name"`, 15 * 1024 * 1024);
    await Promise.all([
      runClients(40, 0, () => send(`/api/public/archives/${hash}`, 'POST', ofVisitor, anonymous)),
      runClients(6, 0, () => send('/api/jobs', 'POST', hostile)),
      runClients(6, 0, () => send('/api/archives', 'POST', paths)),
    ]);
  },
  patterns: () =>
    runClients(16, 0, (client) =>
      send(
        `/api/search/many?query=${encodeURIComponent(`${'*a'.repeat(200)}${client} "${'?'.repeat(200)}`)}`,
      ),
    ),
};

await scenarios[scenario]?.();
agent.destroy();
console.log(JSON.stringify(counts));
process.exit(0);
