// A program that writes into a folder while the server moves it. Arguments: the folder; a file whose existence ends the program;
// and `path` (files are named by their whole path) or `inside` (the folder is the working directory, which stays the same when
// it is renamed). Prints a line for every finished file: its path below the folder, a tab, its content. Ends when the folder is
// removed.
import { existsSync, mkdirSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', stop = '', mode = 'path'] = process.argv.slice(2);
if (mode === 'inside') process.chdir(folder);
const at = (name) => (mode === 'inside' ? name : join(folder, name));

/** Reports a finished file to the test. */
const report = (name, content) => writeSync(1, `${name}\t${content}\n`);
const pause = new Int32Array(new SharedArrayBuffer(4));
let number = 0;
try {
  // The limit ends the program if the test was killed.
  while (number < 20_000 && !existsSync(stop)) {
    number += 1;
    Atomics.wait(pause, 0, 0, mode === 'inside' ? 20 : 2);
    const content = `late ${number}`;
    const name = `late-${mode}-${number}`;
    writeFileSync(at(name), content);
    report(name, content);
    // An old file gets a new content of the same length, in place and by a rename. Not from inside: nothing shows that an old
    // file is being written between the last check and its removal, see docs/known-limits.md.
    const changed = `changed-${String(number).padStart(8, '0')}`;
    const kind = number % 3;
    if (kind === 0 && mode === 'path') {
      writeFileSync(at(`old-${mode}`), changed);
      report(`old-${mode}`, changed);
    } else if (kind === 1 && mode === 'path') {
      writeFileSync(at(`saved-${mode}.tmp`), changed);
      renameSync(at(`saved-${mode}.tmp`), at(`saved-${mode}`));
      report(`saved-${mode}`, changed);
    } else {
      mkdirSync(at(`deep-${mode}-${number}/er`), { recursive: true });
      writeFileSync(at(`deep-${mode}-${number}/er/file`), changed);
      report(`deep-${mode}-${number}/er/file`, changed);
    }
  }
} catch (error) {
  if (!['ENOENT', 'ENOTDIR', 'EEXIST'].includes(error.code)) throw error;
  report('end', '');
}
