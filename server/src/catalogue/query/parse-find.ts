import { foldName } from '../names/fold-name.ts';

/** One word or phrase of a query. */
export interface FindWord {
  /** Folded. A pattern contains `*` (any characters) and `?` (one character) and has to match a whole name. */
  readonly text: string;
  /** The text as typed; compared instead of the folded one when the query is case-sensitive. */
  readonly typed: string;
  readonly isPattern: boolean;
  /** Whether it was quoted. */
  readonly isPhrase: boolean;
}

/** The kinds of entries that a query can be restricted to. */
type FoundKind = 'file' | 'folder' | 'link';

/** A parsed query; plain data, so that it can be sent to another thread. */
export interface FindQuery {
  /** An entry matches if its name contains at least one of these words, and the names of its folders contain the others. */
  readonly words: readonly FindWord[];
  /** Words that the name must not contain. */
  readonly excluded: readonly FindWord[];
  readonly isCaseSensitive: boolean;
  /** The name has at least one of `media` and `extensions`; any when both are empty. */
  readonly media: readonly ('audio' | 'image' | 'video')[];
  /** Without the dot, in lower case. */
  readonly extensions: readonly string[];
  readonly kind: FoundKind | null;
  /** Bytes, inclusive; only files have a size. Null without a restriction. */
  readonly size: readonly [least: number, most: number] | null;
  /** Unix seconds, inclusive. */
  readonly changed: readonly [from: number, to: number] | null;
  /** Restricts the search to the folder that is open. */
  readonly isHere: boolean;
  /** Restricts the search to entries with all of these tags of the user. */
  readonly tags: readonly string[];
  /** Restricts the search to favorites of the user. */
  readonly isFavorite: boolean;
}

/** The maximum number of words; further ones are ignored. */
const maxWords = 8;

const mediaOfWord = new Map<string, FindQuery['media'][number]>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['music', 'audio'],
]);
const kinds: readonly string[] = ['file', 'folder', 'link'] satisfies FoundKind[];

const sizeUnits: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
  ti: 1024 ** 4,
};
const day = 86_400;
const timeUnits: Readonly<Record<string, number>> = {
  h: 3600,
  d: day,
  w: 7 * day,
  m: 30 * day,
  y: 365 * day,
};

type Range = readonly [number, number];

/** Parses `>10M`, `<=2GiB`, `1M..5M`; null for anything else. */
function parseSize(value: string): Range | null {
  const bytes = (text: string): number => {
    const match = /^(\d+(?:\.\d+)?)([kmgt]i?)?b?$/i.exec(text);
    return match === null ? Number.NaN : Number(match[1]) * (sizeUnits[(match[2] ?? '').toLowerCase()] ?? 1);
  };
  const range = /^(.+?)\.\.(.+)$/.exec(value);
  const [, sign = '', text = ''] = /^(>=|<=|>|<)?(.+)$/.exec(value) ?? [];
  const [least, most] =
    range !== null
      ? [bytes(range[1] ?? ''), bytes(range[2] ?? '')]
      : sign.startsWith('>')
        ? [bytes(text) + (sign === '>' ? 1 : 0), Number.MAX_VALUE]
        : sign.startsWith('<')
          ? [0, bytes(text) - (sign === '<' ? 1 : 0)]
          : [bytes(text), bytes(text)];
  return Number.isNaN(least) || Number.isNaN(most) ? null : [least, most];
}

/**
 * Returns the first and the last second of a year, month, day, hour, minute or second, such as `2026`, `2026-05-31` or
 * `2026-05-31T14:21` (UTC); null for anything else.
 */
function parseDate(text: string): Range | null {
  if (!/^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}(?::\d{2}(?::\d{2})?)?)?)?)?$/i.test(text)) return null;
  const given = text.split(/[-T:]/i).map(Number);
  const [year = 0, month = 1, date = 1, hour = 0, minute = 0, second = 0] = given;
  if (month < 1 || month > 12 || date < 1 || date > 31) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  /** Adds 1 to the last part that is given. */
  const next = (part: number): number => (given.length === part ? 1 : 0);
  const from = Date.UTC(year, month - 1, date, hour, minute, second);
  const to = Date.UTC(
    year + next(1),
    month - 1 + next(2),
    date + next(3),
    hour + next(4),
    minute + next(5),
    second + next(6),
  );
  return [from / 1000, to / 1000 - 1];
}

/** Parses `<7d` (during the last 7 days), `>1y` (before that), `today`, a date, `>2026-01-01`; null for anything else. */
function parseChanged(value: string, nowSeconds: number): Range | null {
  const [, sign = '', text = ''] = /^(>=|<=|>|<)?(.+)$/.exec(value) ?? [];
  const ago = /^(\d{1,6})([hdwmy])$/i.exec(text);
  if (ago !== null) {
    const time = nowSeconds - Number(ago[1]) * (timeUnits[(ago[2] ?? '').toLowerCase()] ?? day);
    return sign.startsWith('>') ? [-Number.MAX_VALUE, time] : [time, Number.MAX_VALUE];
  }
  const date =
    text.toLowerCase() === 'today'
      ? parseDate(new Date(nowSeconds * 1000).toISOString().slice(0, 10))
      : parseDate(text);
  if (date === null) return null;
  const [from, to] = date;
  if (sign === '') return date;
  if (sign.startsWith('>')) return [sign === '>' ? to + 1 : from, Number.MAX_VALUE];
  return [-Number.MAX_VALUE, sign === '<' ? from - 1 : to];
}

/** Returns what both ranges contain, so that `larger:1M smaller:5M` is a range. */
const common = (one: Range | null, other: Range): Range =>
  one === null ? other : [Math.max(one[0], other[0]), Math.min(one[1], other[1])];

interface Parsed {
  words: FindWord[];
  excluded: FindWord[];
  isCaseSensitive: boolean;
  media: FindQuery['media'][number][];
  extensions: string[];
  kind: FoundKind | null;
  size: Range | null;
  changed: Range | null;
  isHere: boolean;
  tags: string[];
  isFavorite: boolean;
}

/**
 * Applies an operator such as `ext:pdf`. Returns false if it is unknown or its value is invalid; it is then searched for as
 * a word.
 */
function applyOperator(parsed: Parsed, name: string, value: string, nowSeconds: number): boolean {
  switch (name) {
    case 'ext': {
      const extensions = value.split(/[,;]/).map((text) => text.replace(/^\./, '').toLowerCase());
      if (extensions.some((extension) => extension === '')) return false;
      parsed.extensions.push(...extensions);
      return true;
    }
    case 'type': {
      if (!/^\w+$/.test(value)) return false;
      const media = mediaOfWord.get(value);
      if (media === undefined) parsed.extensions.push(value.toLowerCase());
      else parsed.media.push(media);
      return true;
    }
    case 'kind': {
      const media = mediaOfWord.get(value);
      if (media !== undefined) {
        parsed.media.push(media);
        return true;
      }
      if (!kinds.includes(value)) return false;
      parsed.kind = value as FoundKind;
      return true;
    }
    case 'size': {
      const size = parseSize(value);
      parsed.size = size ?? parsed.size;
      return size !== null;
    }
    case 'changed': {
      const changed = parseChanged(value, nowSeconds);
      parsed.changed = changed ?? parsed.changed;
      return changed !== null;
    }
    case 'larger':
    case 'smaller': {
      const size = parseSize(`${name === 'larger' ? '>' : '<'}${value}`);
      if (size !== null) parsed.size = common(parsed.size, size);
      return size !== null;
    }
    case 'before':
    case 'after': {
      // `before:7d` is further back than 7 days, as is `changed:>7d`; `before:2026` is `changed:<2026`.
      const isAge = /^\d+[hdwmy]$/i.test(value);
      const changed = parseChanged(`${(name === 'before') === isAge ? '>' : '<'}${value}`, nowSeconds);
      if (changed !== null) parsed.changed = common(parsed.changed, changed);
      return changed !== null;
    }
    case 'case': {
      if (value !== 'sensitive' && value !== 'insensitive') return false;
      parsed.isCaseSensitive = value === 'sensitive';
      return true;
    }
    case 'in':
      if (value === 'here') parsed.isHere = true;
      else if (value === 'favorites' || value === 'favourites') parsed.isFavorite = true;
      else return false;
      return true;
    case 'tag':
      if (parsed.tags.length < maxWords) parsed.tags.push(value);
      return true;
    default:
      return false;
  }
}

/** Control characters never match: one of them replaces removed names. */
// oxlint-disable-next-line no-control-regex
const controls = /[\0-\x1f]/g;

function wordOf(typed: string, isPhrase: boolean): FindWord {
  return { text: foldName(typed), typed, isPattern: !isPhrase && /[*?]/.test(typed), isPhrase };
}

/**
 * Parses the query of a ranked search. Every text is a valid query: an unknown operator, or one with an invalid value, is a word.
 * Only the first {@link maxWords} words count.
 */
export function parseFind(query: string, nowSeconds: number): FindQuery {
  const parsed: Parsed = {
    words: [],
    excluded: [],
    isCaseSensitive: false,
    media: [],
    extensions: [],
    kind: null,
    size: null,
    changed: null,
    isHere: false,
    tags: [],
    isFavorite: false,
  };
  const text = query.toWellFormed().replaceAll(controls, ' ');
  for (const [token, minus = '', phrase, plain = ''] of text.matchAll(
    /(-?)(?:"([^"]*)"|([a-z]+:"[^"]*"|\S+))/g,
  )) {
    const operator =
      minus === '' && phrase === undefined ? /^([a-z]+):(?:"([^"]+)"|(.+))$/.exec(plain) : null;
    const value = operator?.[2] ?? operator?.[3] ?? '';
    if (operator !== null && applyOperator(parsed, operator[1] ?? '', value, nowSeconds)) continue;
    if (minus !== '' && (phrase ?? plain) !== '') {
      if (parsed.excluded.length < maxWords)
        parsed.excluded.push(wordOf(phrase ?? plain, phrase !== undefined));
      continue;
    }
    const typed = phrase ?? (minus === '' ? plain : token);
    // A word of asterisks only matches every name.
    if (/^\**$/.test(typed) && phrase === undefined) continue;
    if (typed !== '' && foldName(typed) !== '' && parsed.words.length < maxWords)
      parsed.words.push(wordOf(typed, phrase !== undefined));
  }
  return parsed;
}
