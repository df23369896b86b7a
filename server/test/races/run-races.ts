// Replaces folders, files and links of users by links out of their scope while every verb of the API is tried on them, and
// prints the results.
// Usage: npm run bench -- races, or tsx run-races.ts [SWAPS [TRIES]]
import { raceLinks } from './race-links.ts';

const [swapsText = '20000', triesText = '12'] = process.argv.slice(2);
const print = (text: string): boolean => process.stdout.write(`${text}\n`);

const { swaps, requests, verbs, escapes, seconds } = await raceLinks({
  swaps: Number(swapsText),
  triesEach: Number(triesText),
});
print('| verb | tries | met a swap | done | refused | interrupted |');
print('| --- | --- | --- | --- | --- | --- |');
const total = { tries: 0, met: 0, done: 0, refused: 0, broken: 0 };
for (const [name, { tries, met, done, refused, broken }] of verbs) {
  print(`| ${name} | ${tries} | ${met} | ${done} | ${refused} | ${broken} |`);
  total.tries += tries;
  total.met += met;
  total.done += done;
  total.refused += refused;
  total.broken += broken;
}
print(`| all | ${total.tries} | ${total.met} | ${total.done} | ${total.refused} | ${total.broken} |`);
for (const escape of new Set(escapes)) print(`ESCAPE: ${escape}`);
print(
  `\n${swaps} swaps, ${requests} requests, ${escapes.length} escapes, ${Math.round(seconds)} s; ` +
    `${Math.round((100 * total.met) / total.tries)} % of the attempts met a swap (required: 20,000 swaps, 0 escapes)`,
);
if (escapes.length > 0 || swaps < Number(swapsText)) process.exitCode = 1;
