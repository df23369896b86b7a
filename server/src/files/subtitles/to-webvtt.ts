/**
 * Converts the most common subtitle formats to WebVTT, in linear time for any input. Invalid cues are left out. The output
 * is produced in chunks of a thousand cues.
 */

const cuesPerChunk = 1000;
const header = 'WEBVTT\n\n';
/** Maximum time of a cue, in hours. */
const maxHours = 999;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats milliseconds as `hh:mm:ss.mmm`. */
function timestamp(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = Math.floor(ms / 1000) % 60;
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}.${String(ms % 1000).padStart(3, '0')}`;
}

interface Cue {
  readonly start: number;
  readonly end: number;
  /** May contain line breaks, but no empty lines. */
  readonly text: string;
}

const lineBreak = /\r\n|\r|\n/;
/** Matches `1:02:03,4`, `01:02:03.456` and `02:03,456`, without backtracking. */
const timePattern = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/;

/** Parses a time into milliseconds; null when it is invalid. */
function parseTime(text: string): number | null {
  const match = timePattern.exec(text);
  if (match === null) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match;
  if (Number(hours) > maxHours || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const ms = Number(fraction.padEnd(3, '0'));
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + ms;
}

/** Matches the tags that WebVTT supports as well. */
const keptTag = /^<\/?[biu]>$/i;

/** Returns the text of a cue with special characters and arrows escaped and all tags but bold, italic and underline removed. */
function cueText(text: string): string {
  const cleaned = text
    .replaceAll(/<br\b[^<>]*>/gi, '\n')
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;')
    .replaceAll(/<[^<>]*>|[<>]/g, (part) => {
      if (keptTag.test(part)) return part.toLowerCase();
      if (part === '<') return '&lt;';
      return part === '>' ? '&gt;' : /^<\/?[a-z]/i.test(part) ? '' : `&lt;${part.slice(1, -1)}&gt;`;
    });
  return cleaned
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Serializes `cues` as WebVTT without those that are empty or end before they begin. */
function* writeCues(cues: Iterable<Cue>): Generator<string> {
  let piece = header;
  let count = 0;
  for (const { start, end, text } of cues) {
    if (text === '' || end <= start) continue;
    piece += `${timestamp(start)} --> ${timestamp(end)}\n${text}\n\n`;
    if (++count % cuesPerChunk !== 0) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Parses a line such as `00:00:01,000 --> 00:00:02,500 X1:1`; null for other lines. */
function parseTiming(line: string): { start: number; end: number } | null {
  const arrow = line.indexOf('-->');
  if (arrow < 0) return null;
  const start = parseTime(line.slice(0, arrow).trim());
  const end = parseTime(
    line
      .slice(arrow + 3)
      .trim()
      .split(/\s/, 1)[0] ?? '',
  );
  return start === null || end === null ? null : { start, end };
}

function* srtCues(text: string): Generator<Cue> {
  let timing: { start: number; end: number } | null = null;
  let lines: string[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(lineBreak)) {
    const next = parseTiming(line);
    if (next === null) {
      if (timing !== null) lines.push(line);
      continue;
    }
    if (timing !== null) {
      // The last line before a timing may be the number of its cue.
      if (/^\s*\d+\s*$/.test(lines.at(-1) ?? '')) lines.pop();
      yield { ...timing, text: cueText(lines.join('\n')) };
    }
    timing = next;
    lines = [];
  }
  if (timing !== null) yield { ...timing, text: cueText(lines.join('\n')) };
}

/** Converts SubRip to WebVTT. */
export const srtToWebVtt = (text: string): Iterable<string> => writeCues(srtCues(text));

/** The columns of events without a `Format:` line. */
const assColumns = [
  'layer',
  'start',
  'end',
  'style',
  'name',
  'marginl',
  'marginr',
  'marginv',
  'effect',
  'text',
];

/** Splits a line at commas into at most `count` values; the last one contains the rest, including commas. */
function splitValues(line: string, count: number): string[] {
  const values: string[] = [];
  let from = 0;
  while (values.length < count - 1) {
    const comma = line.indexOf(',', from);
    if (comma < 0) break;
    values.push(line.slice(from, comma));
    from = comma + 1;
  }
  values.push(line.slice(from));
  return values;
}

/** Returns the text of an event without drawings and without override tags other than italics, bold and underline. */
function assText(text: string): string {
  let shown = '';
  let isDrawing = false;
  const open: string[] = [];
  const close = (tag: string): void => {
    const position = open.lastIndexOf(tag);
    if (position < 0) return;
    const closedTags = open.splice(position);
    shown += closedTags
      .toReversed()
      .map((name) => `</${name}>`)
      .join('');
    for (const name of closedTags.slice(1)) {
      open.push(name);
      shown += `<${name}>`;
    }
  };
  const override = (tags: string): void => {
    for (const [, drawing, name, value] of tags.matchAll(
      /\\(?:p(\d{1,4})|([ibu])(\d{1,4}))(?![A-Za-z0-9])/g,
    )) {
      if (drawing !== undefined) isDrawing = Number(drawing) > 0;
      else if (name !== undefined && Number(value) === 0) close(name);
      else if (name !== undefined && !open.includes(name)) {
        open.push(name);
        shown += `<${name}>`;
      }
    }
  };
  for (let from = 0; from < text.length;) {
    const brace = text.indexOf('{', from);
    const end = brace < 0 ? -1 : text.indexOf('}', brace);
    const plain = text.slice(from, end < 0 ? text.length : brace);
    if (!isDrawing) {
      shown += plain
        .replaceAll(/\\[Nn]/g, '\n')
        .replaceAll('\\h', ' ')
        .replaceAll(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
    }
    if (end < 0) break;
    override(text.slice(brace + 1, end));
    from = end + 1;
  }
  for (const name of open.toReversed()) shown += `</${name}>`;
  return cueText(shown);
}

function* assCues(text: string): Generator<Cue> {
  let columns = assColumns;
  let isInEvents = false;
  for (const line of text.replace(/^\uFEFF/, '').split(lineBreak)) {
    if (line.startsWith('[')) isInEvents = /^\[events\]/i.test(line);
    if (!isInEvents) continue;
    if (/^format:/i.test(line)) {
      columns = line
        .slice('format:'.length)
        .split(',', 32)
        .map((name) => name.trim().toLowerCase());
    } else if (/^dialogue:/i.test(line)) {
      const values = splitValues(line.slice('dialogue:'.length), columns.length);
      const valueOf = (column: string): string => values[columns.indexOf(column)]?.trim() ?? '';
      const start = parseTime(valueOf('start'));
      const end = parseTime(valueOf('end'));
      if (start !== null && end !== null) yield { start, end, text: assText(valueOf('text')) };
    }
  }
}

/** Converts SubStation Alpha, both versions, to WebVTT. Cues are sorted by time, as WebVTT requires. */
export function* assToWebVtt(text: string): Generator<string> {
  const cues = [...assCues(text)].sort((a, b) => a.start - b.start || a.end - b.end);
  yield* writeCues(cues);
}
