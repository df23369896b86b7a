import { execFileSync } from 'node:child_process';
import { nameOfBytes } from '@filestead/contract/paths/raw-names';
import { describe, expect, test } from 'vitest';
import { withRawBytes } from './with-raw-bytes.ts';

const spelled = (bytes: string): string => nameOfBytes(Buffer.from(bytes, 'latin1'));

describe.runIf(process.platform === 'linux')('a program that is started with names', () => {
  test('is unchanged when all of them are UTF-8', () => {
    const start = { file: 'cat', args: ['é', '\uFFFD'], env: { FILE: '日本' } };
    expect(withRawBytes(start)).toEqual(start);
  });

  test('gets the bytes of the disk, and no shell interprets them', () => {
    const nasty = `\xe9 '"$(touch x)\`id\`;\\n %s \\0101\n\n-\xff\n`;
    const { file, args, env } = withRawBytes({
      file: 'sh',
      args: [
        '-c',
        `printf '%s|' "$@" "$FILE" "$PLAIN"`,
        'sh',
        spelled(nasty),
        'plain $HOME',
        ...Array.from({ length: 12 }, (_, i) => spelled(`${i}\xfe`)),
      ],
      env: { PATH: process.env.PATH ?? '', FILE: spelled(nasty), PLAIN: `'$(id)\n` },
    });
    const received = execFileSync(file, args, { env }).toString('latin1').split('|');
    expect(received).toEqual([
      nasty,
      'plain $HOME',
      ...Array.from({ length: 12 }, (_, i) => `${i}\xfe`),
      nasty,
      `'$(id)\n`,
      '',
    ]);
  });
});
