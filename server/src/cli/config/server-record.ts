import { optionNamed } from '../../config/option-names.ts';
import { type OptionName, options } from '../../config/options.ts';
import { isRecord } from '../records/parse-record.ts';
import { storableOptions } from './config-options.ts';

/**
 * Options with another name in the record of File Browser (docs/reference/filebrowser-api.md §5.4).
 */
const renamed: Readonly<Record<string, OptionName>> = { tlsKey: 'key', tlsCert: 'cert' };

/**
 * Keys whose option has the opposite meaning: `enableThumbnails: false` is the option `disableThumbnails`.
 */
const inverted: Readonly<Record<string, string>> = {
  enableThumbnails: 'disableThumbnails',
  resizePreview: 'disablePreviewResize',
  imageResolutionCalculation: 'disableImageResolutionCalc',
  typeDetectionByHeader: 'disableTypeDetectionByHeader',
};

/** Keys of the record without an effect here. */
const meaningless = ['authHook', 'redisCacheUrl', ...Object.keys(inverted)];

/** Start-up options of a record. */
export interface ServerRecord {
  readonly options: Record<string, string>;
  /** Keys without an effect here that have another value than the default. */
  readonly ignored: readonly string[];
  readonly unknown: readonly string[];
}

const textOf = (value: unknown): string | null =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? String(value)
    : Array.isArray(value)
      ? value.join(',')
      : null;

/** Returns the option for a key of the record; null if there is none. */
function optionOf(key: string): { name: OptionName; isInverted: boolean } | null {
  const find = (table: Readonly<Record<string, string>>): string | undefined =>
    Object.entries(table).find(([known]) => known.toLowerCase() === key.toLowerCase())?.[1];
  const opposite = find(inverted);
  const candidate = find(renamed) ?? opposite ?? key;
  const name = optionNamed(candidate);
  const isStorable = storableOptions.some((option) => option.name === name);
  return name === undefined || !isStorable ? null : { name, isInverted: opposite !== undefined };
}

/** Parses the `server` part of a record. Empty and default values are omitted. */
export function readServerRecord(record: unknown): ServerRecord {
  const found: Record<string, string> = {};
  const ignored: string[] = [];
  const unknown: string[] = [];
  for (const [key, value] of isRecord(record) ? Object.entries(record) : []) {
    const text = textOf(value);
    const option = optionOf(key);
    if (text === null) {
      if (value !== null) unknown.push(key);
    } else if (option !== null) {
      const written = option.isInverted ? (text === 'false' ? 'on' : 'off') : text;
      const fallback = options.find(({ name }) => name === option.name)?.fallback;
      const isDefault = written === fallback || (fallback === 'off' && written === 'false');
      if (written !== '' && !isDefault) found[option.name] = written;
    } else if (meaningless.some((known) => known.toLowerCase() === key.toLowerCase())) {
      if (!['', 'true'].includes(text)) ignored.push(key);
    } else {
      unknown.push(key);
    }
  }
  if (found.socket !== undefined) for (const name of ['address', 'port', 'cert', 'key']) delete found[name];
  return { options: found, ignored, unknown };
}

/** Returns the `server` part of a record; Filestead's own options keep their names. */
export function writeServerRecord(stored: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.fromEntries(Object.entries(renamed).map(([key, name]) => [name, key]));
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [names[name] ?? name, value]));
}
