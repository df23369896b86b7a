import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../test/cpu-time.ts';
import { assToWebVtt, srtToWebVtt } from './to-webvtt.ts';

const fromSrt = (text: string): string => [...srtToWebVtt(text)].join('');
const fromAss = (text: string): string => [...assToWebVtt(text)].join('');

describe('SubRip as WebVTT', () => {
  it('keeps times, texts and simple tags', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500 X1:1 Y1:2\r\nHello <i>there</i> & you\r\nsecond <font color="red">line</font>\r\n\r\n' +
      '2\r\n0:01:02,5 --> 00:01:04.250\r\n1 < 2 <script>x</script> --> 3\r\n42\r\n';
    expect(fromSrt(srt)).toBe(
      'WEBVTT\n\n' +
        '00:00:01.000 --> 00:00:02.500\nHello <i>there</i> &amp; you\nsecond line\n\n' +
        '00:01:02.500 --> 00:01:04.250\n1 &lt; 2 x --&gt; 3\n42\n\n',
    );
  });

  it.each(['<br>', '<BR/>', '<br />', '<br class="x">'])('converts %s to a line break', (tag) => {
    expect(fromSrt(`1\n00:00:01,000 --> 00:00:02,000\none${tag}two\n`)).toContain('\none\ntwo\n');
  });

  it('leaves out invalid cues', () => {
    expect(fromSrt('1\n00:00:05,000 --> 00:00:02,000\nback\n\n2\n00:99:00,000 --> 01:00:00,000\nno\n')).toBe(
      'WEBVTT\n\n',
    );
    expect(fromSrt('')).toBe('WEBVTT\n\n');
    expect(fromSrt('just a text\nwith lines')).toBe('WEBVTT\n\n');
  });
});

describe('SubStation Alpha as WebVTT', () => {
  const ass = (...lines: string[]): string =>
    [
      '[Script Info]',
      'Dialogue: 0,0:00:09.00,0:00:10.00,Default,,0,0,0,,not here',
      '[Events]',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
      ...lines,
    ].join('\n');

  it('keeps times, texts with commas and simple tags, ordered by time', () => {
    const text = ass(
      'Dialogue: 0,0:00:03.00,0:00:04.50,Default,,0,0,0,,{\\pos(1,2)\\i1}Second{\\i0}, and\\Nmore',
      'Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,hidden',
      'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,First \\h {\\b1}bold & <b>',
      'Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}',
      'Dialogue: 0,0:00:07.00',
      'Dialogue: broken',
    );
    expect(fromAss(text)).toBe(
      'WEBVTT\n\n' +
        '00:00:01.000 --> 00:00:02.000\nFirst   <b>bold &amp; &lt;b&gt;</b>\n\n' +
        '00:00:03.000 --> 00:00:04.500\n<i>Second</i>, and\nmore\n\n',
    );
  });

  it('supports the columns of the older version', () => {
    const text =
      '[Events]\nFormat: Marked, Start, End, Style, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,D,Hi, you\n';
    expect(fromAss(text)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi, you\n\n');
  });
});

describe('any text', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\n',
        '\r\n',
        '1',
        '00:00:01,000 --> 00:00:02,000',
        '0:00:01.00,0:00:02.00',
        '[Events]',
        'Format: Start, End, Text',
        'Dialogue: ',
        'Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,',
        '-->',
        '<',
        '>',
        '<i>',
        '</i>',
        '<br>',
        '{\\i1}',
        '{\\p1}',
        '{',
        '}',
        '\\N',
        '&',
        'NOTE',
        'STYLE',
        '\0',
      ),
    ),
    { maxLength: 60 },
  );

  it.each([
    ['SubRip', fromSrt],
    ['SubStation Alpha', fromAss],
  ])('of %s becomes cues of WebVTT and nothing else', (_name, convert) => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const [first, ...blocks] = convert(parts.join('')).split('\n\n');
        expect(first).toBe('WEBVTT');
        expect(blocks.pop()).toBe('');
        for (const block of blocks) {
          const [timing, ...lines] = block.split('\n');
          expect(timing).toMatch(/^\d{2,3}:\d\d:\d\d\.\d{3} --> \d{2,3}:\d\d:\d\d\.\d{3}$/);
          expect(lines.length).toBeGreaterThan(0);
          for (const line of lines) {
            expect(line).not.toMatch(/-->|\0|\r/);
            expect(line.replaceAll(/<\/?[biu]>/g, '')).not.toMatch(/[<>]/);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it.each<[string, string]>([
    ['open tags', '<'.repeat(500_000)],
    ['open breaks', '<br '.repeat(150_000)],
    ['arrows', '-->'.repeat(300_000)],
    ['braces', '{\\i1}'.repeat(150_000)],
    ['open braces', '{'.repeat(500_000)],
    ['commas', ','.repeat(500_000)],
    ['backslashes', '{' + '\\i'.repeat(300_000) + '}'],
    ['ampersands', '&'.repeat(500_000)],
    ['digits', '1'.repeat(500_000)],
    ['spaces', ' '.repeat(500_000)],
  ])('takes time that grows with its length only: %s', (_name, nasty) => {
    const timeMs = cpuTimeMs(() => {
      fromSrt(`1\n00:00:01,000 --> 00:00:02,000\n${nasty}\n`);
      fromSrt(`1\n00:00:01,000 --> ${nasty}\n`);
      fromAss(`[Events]\nFormat: ${nasty}\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,${nasty}\n`);
      fromAss(`[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,${nasty}\n`);
    });
    expect(timeMs).toBeLessThan(5_000);
  });
});
