import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pdfOf, pngOf, wavOf, write } from '../support/sample-files.ts';

/** Fills `root` with entries of every type. */
export async function makeDemoTree(root: string): Promise<void> {
  await mkdir(join(root, 'Empty'));
  await write(join(root, 'readme.txt'), 'Welcome.\n');
  await write(join(root, 'Notes', 'plan.md'), '# Plan\n\n- first\n- second\n\n`code` and **bold**\n');
  await write(join(root, 'Notes', 'budget.csv'), 'month,euro\nJanuary,120\nFebruary,98\n');
  await write(join(root, 'Notes', 'main.ts'), "export const greeting = 'hello';\n");
  await write(join(root, 'Photos', 'boat.png'), pngOf(640, 420));
  await write(join(root, 'Photos', 'harbour.png'), pngOf(420, 640));
  await write(join(root, 'Photos', 'wide view of the whole bay.png'), pngOf(1200, 300));
  await write(join(root, 'Music', 'tone.wav'), wavOf(1));
  await write(join(root, 'Papers', 'page.pdf'), pdfOf());
  await write(join(root, 'Papers', 'data.bin'), Buffer.from([0, 1, 2, 3, 0]));
  await write(join(root, 'a name that is far too long for one line of the phone.tar.gz'), 'x');
  await write(join(root, 'ملاحظات.txt'), 'نص\n');
}
