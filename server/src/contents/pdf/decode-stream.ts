import { inflateDamaged } from '../extract/inflate-damaged.ts';
import { isDictionary, nameText, type PdfDictionary, type PdfValue } from './pdf-values.ts';

/** The maximum size of a decoded stream, in bytes. Longer ones are left out. */
const maxDecodedBytes = 32 * 1024 * 1024;

const nothing = new Uint8Array(0);

/** Decompresses zlib data up to its end or the first damage. Returns nothing for data that is too long. */
const inflate = (data: Uint8Array): Uint8Array =>
  inflateDamaged(data, { isRaw: false, maxBytes: maxDecodedBytes }) ?? nothing;

function decodeHex(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data).toString('latin1').split('>', 1)[0] ?? '';
  const digits = text.replaceAll(/[^\da-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

/** Decodes ASCII85 (ISO 32000-1 §7.4.3). */
function decodeAscii85(data: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let group: number[] = [];
  const flush = (): void => {
    const count = group.length;
    if (count < 2) return;
    let value = 0;
    for (let i = 0; i < 5; i++) value = value * 85 + (group[i] ?? 84);
    for (let i = 0; i < count - 1; i++) bytes.push(Math.floor(value / 2 ** (24 - 8 * i)) & 0xff);
    group = [];
  };
  for (const byte of data) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) bytes.push(0, 0, 0, 0);
    else if (byte >= 0x21 && byte <= 0x75) {
      group.push(byte - 0x21);
      if (group.length === 5) flush();
    }
  }
  flush();
  return Uint8Array.from(bytes);
}

function decodeRunLength(data: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < data.length && bytes.length < maxDecodedBytes;) {
    const length = data[at] ?? 128;
    at += 1;
    if (length === 128) break;
    if (length < 128) {
      for (const byte of data.subarray(at, at + length + 1)) bytes.push(byte);
      at += length + 1;
    } else {
      for (let i = 0; i < 257 - length; i++) bytes.push(data[at] ?? 0);
      at += 1;
    }
  }
  return Uint8Array.from(bytes);
}

const lzwClear = 256;
const lzwEnd = 257;
const maxLzwCodes = 4096;

/** Decodes LZW with codes of 9 to 12 bits (ISO 32000-1 §7.4.4). With `changesEarly`, codes get longer one code earlier. */
function decodeLzw(data: Uint8Array, changesEarly: boolean): Uint8Array {
  const output = new Uint8Array(Math.min(maxDecodedBytes, Math.max(1024, data.length * 8)));
  let length = 0;
  // Each code stands for a part of the output, of which these are the beginning and the length.
  const starts = new Uint32Array(maxLzwCodes);
  const lengths = new Uint16Array(maxLzwCodes);
  let next = lzwEnd + 1;
  let width = 9;
  let previous = -1;
  let buffer = 0;
  let bits = 0;
  for (const byte of data) {
    buffer = ((buffer << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (buffer >> bits) & ((1 << width) - 1);
    if (code === lzwEnd) break;
    if (code === lzwClear) {
      next = lzwEnd + 1;
      width = 9;
      previous = -1;
      continue;
    }
    const start = length;
    const previousLength = previous < 0 ? 0 : previous < lzwClear ? 1 : (lengths[previous] ?? 0);
    const isNew = code >= next;
    const count = code < lzwClear ? 1 : isNew ? previousLength + 1 : (lengths[code] ?? 0);
    if (length + count > output.length || (isNew && previous < 0)) break;
    if (code < lzwClear) output[length] = code;
    else {
      const from = isNew ? start - previousLength : (starts[code] ?? 0);
      for (let i = 0; i < count; i++) output[start + i] = output[from + i] ?? 0;
    }
    length += count;
    if (previous >= 0 && next < maxLzwCodes) {
      // The previous code and the first byte of this one, which follow each other in the output.
      starts[next] = start - previousLength;
      lengths[next] = previousLength + 1;
      next += 1;
    }
    previous = code;
    const used = next + (changesEarly ? 1 : 0);
    width = used >= 2048 ? 12 : used >= 1024 ? 11 : used >= 512 ? 10 : 9;
  }
  return output.subarray(0, length);
}

/** Reverts the predictors of PNG (ISO 32000-1 §7.4.4.4). Others do not occur in text. */
function unpredict(data: Uint8Array, parameters: PdfDictionary): Uint8Array {
  const numberOf = (key: string, fallback: number): number => {
    const value = parameters.get(key);
    return typeof value === 'number' ? value : fallback;
  };
  if (numberOf('Predictor', 1) < 10) return data;
  const pixelBytes = Math.max(1, (numberOf('Colors', 1) * numberOf('BitsPerComponent', 8)) >> 3);
  const rowBytes = Math.ceil(
    (numberOf('Columns', 1) * numberOf('Colors', 1) * numberOf('BitsPerComponent', 8)) / 8,
  );
  if (!(rowBytes > 0) || rowBytes > maxDecodedBytes) return nothing;
  const rows = Math.floor(data.length / (rowBytes + 1));
  const output = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const type = data[row * (rowBytes + 1)] ?? 0;
    for (let i = 0; i < rowBytes; i++) {
      const at = row * rowBytes + i;
      const left = i < pixelBytes ? 0 : (output[at - pixelBytes] ?? 0);
      const up = row === 0 ? 0 : (output[at - rowBytes] ?? 0);
      const corner = row === 0 || i < pixelBytes ? 0 : (output[at - rowBytes - pixelBytes] ?? 0);
      const estimate = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][type] ?? 0;
      output[at] = (data[row * (rowBytes + 1) + 1 + i] ?? 0) + estimate;
    }
  }
  return output;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Applies one filter. Returns null for one that does not contain text, such as the filters of pictures. */
function applyFilter(filter: string, data: Uint8Array, parameters: PdfDictionary): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredict(inflate(data), parameters);
    case 'LZWDecode':
    case 'LZW':
      return unpredict(decodeLzw(data, parameters.get('EarlyChange') !== 0), parameters);
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(data);
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(data);
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(data);
    default:
      return null;
  }
}

/** The maximum number of filters of one stream. */
const maxFilters = 4;

const asList = (value: PdfValue | undefined): readonly PdfValue[] =>
  Array.isArray(value) ? (value as readonly PdfValue[]) : value == null ? [] : [value];

/**
 * Returns the content of a stream up to its first damage; nothing if it is not text, or longer than {@link maxDecodedBytes}.
 *
 * @param resolve returns the value that a reference leads to
 */
export function decodeStream(
  dictionary: PdfDictionary,
  data: Uint8Array,
  resolve: (value: PdfValue | undefined) => PdfValue,
): Uint8Array {
  const filters = asList(resolve(dictionary.get('Filter') ?? dictionary.get('F')));
  const parameters = asList(resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP')));
  if (filters.length > maxFilters) return nothing;
  let content: Uint8Array = data;
  for (const [i, filter] of filters.entries()) {
    const own = resolve(parameters[i]);
    const decoded = applyFilter(
      nameText(resolve(filter)) ?? '',
      content,
      isDictionary(own) ? own : new Map(),
    );
    if (decoded === null) return nothing;
    content = decoded;
  }
  return content;
}
