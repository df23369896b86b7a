import { expect, test } from 'vitest';
import { AnsiReader, type Span } from './ansi.ts';

const escape = (text: string): string => text.replaceAll('␛', '\u001B');
const read = (...lines: string[]): (readonly Span[])[] => {
  const reader = new AnsiReader();
  return lines.map((line) => reader.read(escape(line)));
};
const textOf = (spans: readonly Span[] = []): string => spans.map(({ text }) => text).join('');

test('keeps plain lines unchanged', () => {
  expect(read('a\tb  c', '')).toEqual([[{ text: 'a\tb  c', style: {} }], []]);
});

test('replaces bidirectional controls, so that letters keep their order', () => {
  expect(read('-\u202Etxt.exe', '\u2067a␛[1mb').map(textOf)).toEqual(['-\uFFFDtxt.exe', '\uFFFDab']);
});

test.each([
  ['a named color', '␛[31mred', { color: '#ff8a85' }],
  ['a bright color', '␛[92mgreen', { color: '#8ee0b0' }],
  ['a background', '␛[44mblue', { background: '#7aa7ff' }],
  ['one of 256 colors', '␛[38;5;196mred', { color: 'rgb(255 0 0)' }],
  ['a gray of 256', '␛[48;5;244mgrey', { background: 'rgb(128 128 128)' }],
  ['a 24-bit color', '␛[38;2;1;2;3mx', { color: 'rgb(1 2 3)' }],
  ['a color with colons as separators', '␛[38:5:21mx', { color: 'rgb(0 0 255)' }],
  [
    'several attributes at once',
    '␛[1;4;38;5;1;9mx',
    { isBold: true, isUnderlined: true, isStruck: true, color: '#ff8a85' },
  ],
])('parses %s', (_name, line, style) => {
  const [[span] = []] = read(line);
  expect(span?.style).toEqual(style);
});

test('keeps attributes over lines until they are reset', () => {
  const [first, second, third] = read('␛[1;31mone', 'two␛[22m three␛[39m four', '␛[3mfive␛[m six');
  expect(first).toEqual([{ text: 'one', style: { isBold: true, color: '#ff8a85' } }]);
  expect(second).toEqual([
    { text: 'two', style: { isBold: true, color: '#ff8a85' } },
    { text: ' three', style: { color: '#ff8a85' } },
    { text: ' four', style: {} },
  ]);
  expect(third).toEqual([
    { text: 'five', style: { isItalic: true } },
    { text: ' six', style: {} },
  ]);
});

test.each([
  ['progress that is overwritten', '10 %\r50 %\r100 %', '100 %'],
  ['a shorter text over a longer one', 'abcdef\rxy', 'xycdef'],
  ['erasing the rest of the line', 'abcdef\rxy␛[K', 'xy'],
  ['erasing the whole line', 'abc␛[2K\rx', 'x  '],
  ['backspace', 'abd\bc', 'abc'],
  ['moving to a column', 'abc␛[2GX', 'aXc'],
  ['bold by overprinting', 'N\bNA\bA', 'NA'],
])('renders %s like a terminal', (_name, line, text) => {
  expect(textOf(read(line)[0])).toBe(text);
});

test.each([
  ['a title', '␛]0;title\u0007text'],
  ['a link', '␛]8;;https://example.org␛\\te␛]8;;␛\\xt'],
  ['cursor and screen control', '␛[2J␛[1;1H␛[?25lte␛[?25hxt'],
  ['a character set', '␛(Btext'],
  ['a broken sequence', 'text␛['],
  ['a bell or another control', 'te\u0007xt\u0000'],
])('omits %s', (_name, line) => {
  expect(textOf(read(line)[0]).replace('[', '')).toBe('text');
});

test('tolerates invalid parameters', () => {
  for (const line of ['␛[38mx', '␛[38;5mx', '␛[38;2;999;1mx', '␛[999;1999mx', '␛[;;;mx', '␛[38;9;1mx']) {
    expect(textOf(read(line)[0])).toBe('x');
  }
});
