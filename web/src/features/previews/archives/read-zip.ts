import { maxEntries, type ArchiveContents, type ArchiveEntry, type ReadRange } from './archive-entries.ts';

/** The size of the end record with the longest possible comment (APPNOTE 4.3.16). */
const tailBytes = 22 + 65_535;
/** Maximum size of the central directory that is read; enough for 10,000 entries of usual length. */
const directoryBytes = 4 * 1024 * 1024;

const utf8 = new TextDecoder();
/** Decodes names without the UTF-8 flag; the ASCII characters are the same in all such encodings. */
const windows1252 = new TextDecoder('windows-1252');

const toDataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Lists a zip archive by its central directory (APPNOTE 4.3.12, with zip64). Throws if the data is not a zip archive. */
export async function readZip(size: number, read: ReadRange): Promise<ArchiveContents> {
  if (size < 22) throw new Error('This is not a zip archive.');
  const tailStart = Math.max(0, size - tailBytes);
  const tail = toDataView(await read(tailStart, size - 1));
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error('The end record of the zip archive is missing.');
  let count = tail.getUint16(end + 10, true);
  let length = tail.getUint32(end + 12, true);
  let start = tail.getUint32(end + 16, true);
  if (count === 0xffff || length === 0xffffffff || start === 0xffffffff) {
    const locator = end - 20;
    if (locator < 0 || tail.getUint32(locator, true) !== 0x07064b50)
      throw new Error('The zip64 end record is missing.');
    const at = Number(tail.getBigUint64(locator + 8, true));
    const record = toDataView(await read(at, at + 55));
    if (record.byteLength < 56 || record.getUint32(0, true) !== 0x06064b50)
      throw new Error('The zip64 end record is damaged.');
    count = Number(record.getBigUint64(32, true));
    length = Number(record.getBigUint64(40, true));
    start = Number(record.getBigUint64(48, true));
  }
  if (count === 0 || length === 0) return { entries: [], isPartial: false };
  if (start + length > size) throw new Error('The central directory is outside the zip archive.');
  const directory = await read(start, start + Math.min(length, directoryBytes) - 1);
  const { entries, isEncrypted } = parseDirectory(directory);
  return { entries, isPartial: entries.length < count, total: count, isEncrypted };
}

function parseDirectory(directory: Uint8Array<ArrayBuffer>): {
  entries: ArchiveEntry[];
  isEncrypted: boolean;
} {
  const view = toDataView(directory);
  const entries: ArchiveEntry[] = [];
  let isEncrypted = false;
  let at = 0;
  while (at + 46 <= view.byteLength && entries.length < maxEntries) {
    if (view.getUint32(at, true) !== 0x02014b50) break;
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true);
    if (at + 46 + nameLength + extraLength > view.byteLength) break;
    // General purpose bit flag (APPNOTE 4.4.4).
    const flags = view.getUint16(at + 8, true);
    const isUtf8 = (flags & 0x800) !== 0;
    isEncrypted ||= (flags & 1) !== 0;
    const nameBytes = directory.subarray(at + 46, at + 46 + nameLength);
    const name = (isUtf8 ? utf8 : windows1252).decode(nameBytes).replaceAll('\\', '/');
    let size = view.getUint32(at + 24, true);
    if (size === 0xffffffff) size = readZip64Size(view, at + 46 + nameLength, extraLength) ?? size;
    entries.push({
      name: name.replace(/\/+$/u, ''),
      isFolder: name.endsWith('/'),
      size,
      modifiedMs: parseDosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    });
    at = next;
  }
  return { entries, isEncrypted };
}

/** Reads the size from the zip64 extra field (APPNOTE 4.5.3): its first value. */
function readZip64Size(view: DataView, start: number, length: number): number | null {
  for (let at = start; at + 4 <= start + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === 1 && at + 12 <= view.byteLength)
      return Number(view.getBigUint64(at + 4, true));
  }
  return null;
}

/** Parses an MS-DOS date and time. The format has no time zone; the reader's own is assumed. */
function parseDosTime(date: number, time: number): number | null {
  if (date === 0) return null;
  const at = new Date(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
  return at.getTime();
}
