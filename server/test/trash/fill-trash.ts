// Adds deleted files to the index of a server that does not run; users of that server must exist already. Started by `npm run bench -- trash`.
// Usage: tsx fill-trash.ts DATABASE COUNT
import { openDatabase } from '../../src/database/open-database.ts';
import { addEntries } from './many-entries.ts';

const [file = '', count = ''] = process.argv.slice(2);
const database = await openDatabase(file);
try {
  await addEntries(database.trash, Number(count), Date.now());
} finally {
  await database.close();
}
