// Requests the health of a server over new connections, one after the other, until the file $3 exists, and at least eleven times,
// because a slow machine answers fewer in that time; prints the number of responses and the errors.
import { existsSync } from 'node:fs';
import { get } from 'node:http';

const [host, port, stopFile] = process.argv.slice(2);

/** Sends one request. Resolves to null when it succeeds, otherwise to its status or error code. */
const requestHealth = () =>
  new Promise((resolve) => {
    get({ host, port, path: '/health', agent: false, timeout: 30_000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? null : response.statusCode));
    }).once('error', (error) => resolve(error.code));
  });

let answered = 0;
const errors = [];
while (!existsSync(stopFile) || answered + errors.length <= 10) {
  const error = await requestHealth();
  if (error === null) answered += 1;
  else errors.push(error);
}
process.stdout.write(`LOAD answered=${answered > 10 ? 'many' : answered} errors=${errors.join(',')}\n`);
