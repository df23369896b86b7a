// Loaded into the product with `--import` by `npm run bench -- requests --stages`: SIGUSR2 starts a CPU profile of the main
// thread, and the next SIGUSR2 writes it to the file that FILESTEAD_PROFILE names.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const file = process.env.FILESTEAD_PROFILE;

/** Time between two samples, in microseconds. */
const intervalMicros = 200;

if (isMainThread && file !== undefined) {
  let session = null;
  process.on('SIGUSR2', () => {
    if (session === null) {
      session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: intervalMicros });
      session.post('Profiler.start');
      return;
    }
    session.post('Profiler.stop', (error, result) => {
      if (error !== null) throw error;
      writeFileSync(`${file}.new`, JSON.stringify(result.profile));
      renameSync(`${file}.new`, file);
    });
    session.disconnect();
    session = null;
  });
}
