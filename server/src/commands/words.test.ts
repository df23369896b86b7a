import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditArguments } from './audit-arguments.ts';
import { expandVariables } from './expand-variables.ts';
import { LineSplitter } from './line-splitter.ts';
import { CommandLineError, splitCommandLine } from './split-command-line.ts';

describe('splitting a command line', () => {
  test.each<[string, string[]]>([
    ['ls -la', ['ls', '-la']],
    [' \tls   -la\t', ['ls', '-la']],
    ['a "b c"\'d e\'f', ['a', 'b cd ef']],
    [String.raw`a b\ c \"d "e\"f" 'g\h'`, ['a', 'b c', '"d', 'e"f', String.raw`g\h`]],
    ['a "" \'\'', ['a', '', '']],
    ['a $b ${c} "$d" \'$e\' $$ $1', ['a', '$b', '${c}', '$d', '$e', '$$', '$1']],
    ['a {b,c} [d] ~ `e` = %', ['a', '{b,c}', '[d]', '~', '`e`', '=', '%']],
  ])('splits %j into its words', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  test.each(['', '  ', '""', '\0', 'a\0b', '\u001b[0m', 'a \uE000'])('refuses the line %j', (line) => {
    expect(() => splitCommandLine(line)).toThrow(CommandLineError);
  });

  test('returns quoted words with any content unchanged', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !/\p{Cc}|\uE000/u.test(text));
    const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        expect(splitCommandLine(['x', ...words.map(quoted)].join(' '))).toEqual(['x', ...words]);
      }),
    );
  });

  test('splits or refuses any line in bounded time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...`'"\\$ \t|&;<>(){}*?#ab`), maxLength: 200 }),
        (line) => {
          try {
            splitCommandLine(line);
          } catch (error) {
            expect(error).toBeInstanceOf(CommandLineError);
          }
        },
      ),
    );
    expect(() => splitCommandLine(`a ${`"'`.repeat(4_000)}`)).toThrow(CommandLineError);
    expect(() => splitCommandLine('\\'.repeat(8_001))).toThrow(CommandLineError);
  });
});

test.each<[string, string]>([
  ['$FILE', '/a b;$(c)'],
  ['${FILE}', '/a b;$(c)'],
  ['--in=${FILE}.bak', '--in=/a b;$(c).bak'],
  ['$FILE:$USER', '/a b;$(c):u'],
  ['$UNKNOWN', ''],
  ['$constructor', ''],
  ['echo $FILE', 'echo $FILE'],
  ['"$FILE"', '"$FILE"'],
  ['print($FILE)', 'print($FILE)'],
  ['$(FILE)', '$(FILE)'],
  ['a;$FILE', 'a;$FILE'],
  ['$', '$'],
])('the word %s becomes %s when its variables are expanded', (word, expected) => {
  expect(expandVariables([word], { FILE: '/a b;$(c)', USER: 'u' })).toEqual([expected]);
});

test('words that look like secrets are not logged', () => {
  expect(
    auditArguments([
      'curl',
      '-H',
      'Authorization: Bearer x',
      '--password',
      'x',
      'API_KEY=x',
      'https://u:x@h/',
      'a=b',
      'x'.repeat(999),
    ]),
  ).toEqual([
    'curl',
    '-H',
    'Authorization:…',
    '--password',
    '…',
    'API_KEY=…',
    'https://u:…@h/',
    'a=b',
    `${'x'.repeat(256)}…`,
  ]);
});

test('lines are complete for every size of the chunks', () => {
  const bytes = Buffer.from('é\r\n\nlong-line\nlast ☃');
  for (let size = 1; size <= bytes.length; size += 1) {
    const lines: string[] = [];
    const splitter = new LineSplitter(6, (line) => lines.push(line));
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
    splitter.end();
    expect(lines.join('|')).toBe('é||long-l|ine|last ☃');
  }
});
