// Kills the server at every call by which an operation changes the disk, and at random moments of several operations at once, and
// prints the losses. Usage: npm run bench -- kills [POINTS [SEED [NAME]]]; FILESTEAD_MAIN names the main.js of another build.
import type { Operation } from './attempts.ts';
import { fileOperations } from './file-operations.ts';
import { keptOperations } from './kept-operations.ts';
import { randomOf } from '../random.ts';
import { KillRange, type LostState, type Kill } from './kills.ts';
import { labelOperations, versionOperations } from './version-operations.ts';
import { buildServer } from './real-server.ts';
import { stateOperations } from './state-operations.ts';

const [wanted = '1200', seedText = String(Date.now() % 1_000_000_000), only = ''] = process.argv.slice(2);
const [count, seed] = [Number(wanted), Number(seedText)];
const random = randomOf(seed);
const operations = [...fileOperations, ...stateOperations, ...keptOperations, ...labelOperations].filter(
  ({ name }) => name.includes(only),
);
const lostStates = ['nothing', 'index', 'database'] as const satisfies readonly LostState[];
/** Operations after which the index of kept entries, or the whole database, is lost, too. */
const rebuilt = new Set(
  [...keptOperations, ...versionOperations, ...labelOperations].filter(
    ({ needsDatabase }) => needsDatabase !== true,
  ),
);
const print = (text: string): boolean => process.stdout.write(`${text}\n`);

interface Tally {
  calls: number;
  kills: number;
  beforeResponse: number;
  losses: string[];
}
const tallies = new Map<string, Tally>();

function note(name: string, calls: number, { at, isBeforeResponse, losses }: Kill): void {
  const tally = tallies.get(name) ?? { calls, kills: 0, beforeResponse: 0, losses: [] };
  tally.kills += 1;
  if (isBeforeResponse) tally.beforeResponse += 1;
  for (const loss of losses) tally.losses.push(`${at}: ${loss}`);
  tallies.set(name, tally);
}

/** The number of servers that are killed in parallel. */
const workers = 2;

/** Kills at every point of every operation in `queue`. Returns the number of kills. */
async function killAtCalls(main: string, queue: Operation[]): Promise<number> {
  const range = await KillRange.open({ main, hasSwitch: true });
  let done = 0;
  try {
    for (let operation = queue.shift(); operation !== undefined; operation = queue.shift()) {
      const points = await range.pointsOf(operation);
      if (points === null) continue;
      for (const [index, label] of [...points, 'after the response'].entries()) {
        for (const loses of rebuilt.has(operation) ? lostStates : (['nothing'] as const)) {
          const at = `call ${index + 1}, ${label}`;
          const kill = await range.killAtPoint(operation, index + 1, at, loses);
          note(kill.operation, points.length, kill);
          done += 1;
        }
      }
    }
  } finally {
    await range.close();
  }
  return done;
}

/** Kills `kills` times at random moments, with up to four concurrent operations. */
async function killAtRandomMoments(main: string, kills: number): Promise<void> {
  const range = await KillRange.open({ main, hasSwitch: false });
  try {
    const possible = operations.filter(({ needsOtherDisk }) => needsOtherDisk !== true || range.hasOtherDisk);
    const durations = new Map<Operation, number>();
    for (const operation of possible) {
      await range.durationOf(operation);
      durations.set(operation, await range.durationOf(operation));
    }
    for (let done = 0; done < kills; done += 1) {
      const chosen = new Set<Operation>();
      const atOnce = 1 + random.below(4);
      while (chosen.size < Math.min(atOnce, possible.length)) chosen.add(random.pick(possible));
      const longest = Math.max(...[...chosen].map((operation) => durations.get(operation) ?? 0));
      const kill = await range.killAtTime([...chosen], random.next() * longest * 1.2);
      note('random moments', 0, kill);
    }
  } finally {
    await range.close();
  }
}

/** Prints the kills so far and the losses. Returns whether anything was lost. */
function printTallies(): boolean {
  print(`\nseed ${seed}\n`);
  print('| operation | calls | kills | before the response | losses |\n| --- | --- | --- | --- | --- |');
  const total: Tally = { calls: 0, kills: 0, beforeResponse: 0, losses: [] };
  for (const [name, { calls, kills, beforeResponse, losses }] of tallies) {
    print(`| ${name} | ${calls === 0 ? '' : calls} | ${kills} | ${beforeResponse} | ${losses.length} |`);
    total.kills += kills;
    total.beforeResponse += beforeResponse;
    total.losses.push(...losses.map((loss) => `${name}, ${loss}`));
  }
  print(`| all | | ${total.kills} | ${total.beforeResponse} | ${total.losses.length} |`);
  for (const loss of total.losses) print(loss);
  return total.losses.length > 0;
}

const given = process.env.FILESTEAD_MAIN;
const build = given === undefined ? await buildServer() : { main: given, remove: () => undefined };
try {
  const queue = [...operations];
  const inParallel = <T>(work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: workers }, work));
  const atCalls = (await inParallel(() => killAtCalls(build.main, queue))).reduce((sum, one) => sum + one, 0);
  await inParallel(() => killAtRandomMoments(build.main, Math.ceil(Math.max(0, count - atCalls) / workers)));
} finally {
  build.remove();
  // After an error, too.
  if (printTallies()) process.exitCode = 1;
}
