// Writes zip files (APPNOTE 6.3.10) that are the same for the same tree. The server has a writer of its own
// (server/src/storage/pack/zip-container.ts), which streams without knowing sizes in advance and writes local times and zip64;
// scripts run before it is compiled, and need neither.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

const maxOutputBytes = 256 * 1024 * 1024;
const gzipHeaderBytes = 10;
const gzipTrailerBytes = 8;
/** Level from which files are compressed by libdeflate, which makes them about 4 % smaller than zlib and takes several times as long. */
const slowLevel = 6;
/** Version of the format that readers need for compressed files, and the number of Unix as the system of the modes. */
const formatVersion = 20;
const unix = 3;
const [stored, deflated] = [0, 8];

/** Compresses a file without a header. */
function deflate(path, content, level) {
  if (level < slowLevel) return deflateRawSync(content, { level });
  const { status, stdout, error, stderr } = spawnSync('libdeflate-gzip', ['-10', '-c', '-k', path], {
    maxBuffer: maxOutputBytes,
  });
  if (status !== 0) throw new Error(`libdeflate-gzip failed: ${error?.message ?? stderr}`);
  const hasName = (stdout[3] & 8) !== 0;
  const start = hasName ? stdout.indexOf(0, gzipHeaderBytes) + 1 : gzipHeaderBytes;
  return stdout.subarray(start, stdout.length - gzipTrailerBytes);
}

/** Returns a time in the form of MS-DOS, in UTC. */
function dosTime(seconds) {
  const date = new Date(seconds * 1_000);
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return { time, day };
}

/** Returns the fields that the header of a file and its entry in the directory have in common. */
function commonFields({ method, crc, size, packedSize, name, seconds }) {
  const { time, day } = dosTime(seconds);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(formatVersion, 0);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(day, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function signature(number, bytes) {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32LE(number, 0);
  return buffer;
}

/** Packs the folder `name` of `parent` into `file`, sorted by name and without entries for folders. `seconds` is the time of all files. */
export function packZip(parent, name, file, { seconds, level }) {
  const paths = readdirSync(join(parent, name), { recursive: true })
    .map((path) => `${name}/${path}`)
    .filter((path) => statSync(join(parent, path)).isFile())
    .toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const output = openSync(file, 'wx');
  const directory = [];
  let position = 0;
  const write = (bytes) => {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(output, bytes, sent);
    position += bytes.length;
  };
  try {
    for (const path of paths) {
      const content = readFileSync(join(parent, path));
      const packed = level === 0 ? content : deflate(join(parent, path), content, level);
      const isSmaller = packed.length < content.length;
      const data = isSmaller ? packed : content;
      const entry = {
        method: isSmaller ? deflated : stored,
        crc: crc32(content),
        size: content.length,
        packedSize: data.length,
        name: Buffer.from(path),
        seconds,
      };
      const fields = commonFields(entry);
      const record = signature(0x02014b50, 6);
      record.writeUInt16LE((unix << 8) | formatVersion, 4);
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(((statSync(join(parent, path)).mode & 0xffff) << 16) >>> 0, 6);
      rest.writeUInt32LE(position, 10);
      directory.push(record, fields, rest, entry.name);
      write(signature(0x04034b50, 4));
      write(fields);
      write(entry.name);
      write(data);
    }
    const start = position;
    write(Buffer.concat(directory));
    const end = signature(0x06054b50, 22);
    end.writeUInt16LE(paths.length, 8);
    end.writeUInt16LE(paths.length, 10);
    end.writeUInt32LE(position - start, 12);
    end.writeUInt32LE(start, 16);
    write(end);
  } finally {
    closeSync(output);
  }
}
