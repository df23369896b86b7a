// Creates the generated tree of the measurements on a disk. Usage: make-tree.ts FOLDER ENTRIES.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { treeOf } from './large-tree.ts';

const [root = '', entries = ''] = process.argv.slice(2);
for (const { path, files, folders } of treeOf(Number(entries))) {
  for (const name of files) closeSync(openSync(join(root, path, name), 'w'));
  for (const name of folders) mkdirSync(join(root, path, name));
}
