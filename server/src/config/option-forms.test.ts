import { expect, test } from 'vitest';
import type { CliOption } from '../cli/command.ts';
import { commands } from '../cli/commands.ts';
import { findCommand } from '../cli/find-command.ts';
import { optionValues } from '../cli/option-values.ts';
import { parseCommand } from '../cli/parse-command.ts';
import { fromFlags } from './given-values.ts';
import { ignoredNames } from './option-names.ts';
import { options } from './options.ts';

/** Forms of one option with the text that is read from each. */
interface Form {
  readonly args: readonly string[];
  readonly text: string;
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const switchWords = ['on', 'off', 'true', 'false', 'yes', 'no'];

/** The declared name with every value, and its other spellings with one. */
function formsOfName(name: string, short: string | undefined, texts: readonly string[]): Form[] {
  const others = [`--${kebab(name)}`, ...(short === undefined ? [] : [`-${short}`])];
  const spelled: [string, string][] = [
    ...texts.map((text): [string, string] => [`--${name}`, text]),
    ...others.map((flag): [string, string] => [flag, texts[0] ?? '']),
  ];
  return spelled.flatMap(([flag, text]) => [
    { args: [flag, text], text },
    { args: [`${flag}=${text}`], text },
  ]);
}

const switchForms = (name: string, short?: string): Form[] => [
  { args: [`--${name}`], text: 'on' },
  ...(short === undefined ? [] : [{ args: [`-${short}`], text: 'on' }]),
  ...formsOfName(name, short, switchWords),
];

const valueForms = (name: string, short?: string): Form[] => formsOfName(name, short, ['value', 'a=b']);

test.each(options)('the server reads --$name in every form that its help shows', ({ name, short, value }) => {
  const forms = value === undefined ? switchForms(name, short) : valueForms(name, short);
  for (const { args, text } of forms) {
    const all = ['-c', 'file.yaml', ...args];
    const next = name === 'sessionIdle' ? '--port=1' : '--sessionIdle=1h';
    const { given } = fromFlags({ args: [...all, next], cwd: '/' });
    expect({ args, text: given[name]?.text }).toEqual({ args, text });
    expect(findCommand(args), args.join(' ')).toBeUndefined();
    expect(findCommand([...all, 'users', 'ls'])?.path, args.join(' ')).toBe('users ls');
  }
});

test('a short flag accepts its value in the same argument', () => {
  for (const { name, short } of options) {
    if (short === undefined) continue;
    expect(fromFlags({ args: [`-${short}value`], cwd: '/' }).given[name]?.text).toBe('value');
  }
});

test('switches of File Browser that are not supported here are ignored in every form', () => {
  for (const name of ignoredNames.filter((known) => known.startsWith('disable'))) {
    for (const { args } of switchForms(name)) {
      expect(fromFlags({ args, cwd: '/' })).toEqual({ given: {}, file: undefined });
    }
  }
});

test('the value of an option may look like a flag and is not rewritten', () => {
  const { given } = fromFlags({ args: ['--password', '--noauth', '--username', '-x'], cwd: '/' });
  expect(given).toMatchObject({ password: { text: '--noauth' }, username: { text: '-x' } });
  expect(given.noauth).toBeUndefined();
});

function formsOf({ name, short, kind }: CliOption): Form[] {
  if (kind === 'switch') return switchForms(name, short);
  return kind === 'optional'
    ? [{ args: [`--${name}`], text: '' }, ...valueForms(name, short)]
    : valueForms(name, short);
}

test.each(commands.filter(({ options: own }) => own.length > 0))(
  '“$path” reads each of its options in every form that its help shows',
  (spec) => {
    const words = spec.words.flatMap((word) => (word.startsWith('<') ? ['word'] : []));
    for (const option of spec.options) {
      for (const { args, text } of formsOf(option)) {
        const parsed = parseCommand(spec, [...words, ...args], () => undefined);
        const found = {
          args,
          words: parsed?.words,
          text: parsed === null ? undefined : optionValues(parsed.given).text(option.name),
        };
        expect(found).toEqual({ args, words, text });
      }
    }
  },
);
