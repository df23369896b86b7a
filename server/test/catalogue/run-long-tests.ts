// The full-size suites of the catalogue, run by `npm run bench -- leaks` and `npm run bench -- truth`.
import { findLeaks } from './leaks.ts';
import { compareWithWalk } from './truth.ts';

const [suite, times = suite === 'leaks' ? '25' : '20'] = process.argv.slice(2);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

for (let seed = 1; seed <= Number(times); seed++) {
  if (suite === 'leaks') {
    const leaks = await findLeaks({ seed, users: 40, entries: 1_000, requestsPerUser: 5 });
    print(`tree ${seed}, 40 users: ${leaks.length} differences`);
    for (const { user, ...leak } of leaks) print(JSON.stringify({ ...leak, user: { ...user, tagged: [] } }));
    if (leaks.length > 0) process.exitCode = 1;
  } else {
    const { entries, watchedMs, wrongWatched, wrongNames, wrongEntries } = await compareWithWalk({
      seed,
      operations: 10_000,
    });
    print(
      `seed ${seed}, ${entries} entries: ${wrongWatched.length} wrong in watched folders after ${Math.round(watchedMs)} ms, ${wrongNames.length} wrong names, ${wrongEntries.length} wrong entries`,
    );
    if (wrongWatched.length + wrongNames.length + wrongEntries.length > 0) process.exitCode = 1;
  }
}
