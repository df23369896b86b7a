// A program that writes into a folder while the server moves it. Arguments: the folder, a file that ends the program when it is
// there, and `path` (names from outside) or `inside`
// (the folder is its working directory, which goes along when the folder is renamed). Prints a line for every file that it has
// finished: its path below the folder, a tab, its content. Ends when the folder is gone.
import { existsSync, mkdirSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '', stop = '', way = 'path'] = process.argv.slice(2);
if (way === 'inside') process.chdir(folder);
const at = (name) => (way === 'inside' ? name : join(folder, name));

/** Finished work counts only when it is known outside. */
const tell = (name, content) => writeSync(1, `${name}\t${content}\n`);
const pause = new Int32Array(new SharedArrayBuffer(4));
let number = 0;
try {
  // Ends by itself when the test is gone.
  while (number < 20_000 && !existsSync(stop)) {
    number += 1;
    Atomics.wait(pause, 0, 0, way === 'inside' ? 20 : 2);
    const content = `late ${number}`;
    const name = `late-${way}-${number}`;
    writeFileSync(at(name), content);
    tell(name, content);
    // An old file gets a new content of the same length, in place and by a rename. Not from inside: nothing can tell that an old
    // file is being written between the last check and its removal, see docs/known-limits.md.
    const changed = `changed-${String(number).padStart(8, '0')}`;
    const kind = number % 3;
    if (kind === 0 && way === 'path') {
      writeFileSync(at(`old-${way}`), changed);
      tell(`old-${way}`, changed);
    } else if (kind === 1 && way === 'path') {
      writeFileSync(at(`saved-${way}.tmp`), changed);
      renameSync(at(`saved-${way}.tmp`), at(`saved-${way}`));
      tell(`saved-${way}`, changed);
    } else {
      mkdirSync(at(`deep-${way}-${number}/er`), { recursive: true });
      writeFileSync(at(`deep-${way}-${number}/er/file`), changed);
      tell(`deep-${way}-${number}/er/file`, changed);
    }
  }
} catch (error) {
  if (!['ENOENT', 'ENOTDIR', 'EEXIST'].includes(error.code)) throw error;
  tell('end', '');
}
