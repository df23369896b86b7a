import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Helpers for tests that read archives with installed programs, not with the code that created them. */

/** Whether a program is installed. */
export const hasTool = (name: string): boolean => spawnSync('which', [name]).status === 0;

/** A member of an unpacked archive, by its name relative to the top. */
export interface Unpacked {
  /** Null for a folder. */
  readonly content: string | null;
  /** Permission bits. */
  readonly mode: number;
  /** Unix seconds. */
  readonly modified: number;
}

function readTree(top: string): Map<string, Unpacked> {
  const found = new Map<string, Unpacked>();
  // Names may be any bytes: paths are built from the bytes, and only the keys are text.
  const read = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const place = Buffer.concat([folder, Buffer.from('/'), name]);
      const key = `${prefix}${name.toString()}`;
      const stats = statSync(place);
      found.set(key, {
        content: stats.isDirectory() ? null : readFileSync(place, 'latin1'),
        mode: stats.mode & 0o777,
        modified: Math.floor(stats.mtimeMs / 1000),
      });
      if (stats.isDirectory()) read(place, `${key}/`);
    }
  };
  read(Buffer.from(top), '');
  return found;
}

/** Unpacks an archive with the system's program and reads its members. Throws when the archive is incomplete. */
function unpackAnd<T>(archive: Uint8Array, kind: 'tar' | 'zip', read: (top: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'filestead-unpack-'));
  try {
    const file = join(folder, 'archive');
    const into = join(folder, 'into');
    writeFileSync(file, archive);
    execFileSync('mkdir', [into]);
    const [command, args] =
      kind === 'tar'
        ? ['tar', ['--extract', '--preserve-permissions', '--file', file, '--directory', into]]
        : ['unzip', ['-q', file, '-d', into]];
    execFileSync(command, args as string[], { stdio: 'pipe', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    return read(into);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks a tar or zip with the system's program into a separate folder. Throws when the archive is incomplete. */
export const unpack = (archive: Uint8Array, kind: 'tar' | 'zip'): Map<string, Unpacked> =>
  unpackAnd(archive, kind, readTree);

/** Returns the contents (null for folders) of an archive, by names whose characters are the bytes on the disk. */
export const unpackRaw = (archive: Uint8Array, kind: 'tar' | 'zip'): Map<string, string | null> =>
  unpackAnd(archive, kind, (top) => {
    const found = new Map<string, string | null>();
    const read = (folder: string): void => {
      for (const name of readdirSync(Buffer.from(`${top}/${folder}`, 'latin1'), { encoding: 'buffer' })) {
        const below = folder + name.toString('latin1');
        const place = Buffer.from(`${top}/${below}`, 'latin1');
        const isFolder = statSync(place).isDirectory();
        found.set(below, isFolder ? null : readFileSync(place, 'utf8'));
        if (isFolder) read(`${below}/`);
      }
    };
    read('');
    return found;
  });

/** Returns the output of an installed program for `input`. Throws when the program fails. */
export const through = (command: string, args: readonly string[], input: Uint8Array): Buffer =>
  execFileSync(command, args, { input, maxBuffer: 1024 ** 3, stdio: ['pipe', 'pipe', 'pipe'] });

/** The table of CRC-32C (Castagnoli), as snappy's framing uses it. */
const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Reads one block of snappy's raw format. */
function unsnapBlock(block: Buffer): Buffer {
  let position = 0;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = block.readUInt8(position++);
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const out = Buffer.alloc(length);
  let used = 0;
  while (position < block.length) {
    const tag = block.readUInt8(position++);
    if ((tag & 3) === 0) {
      let size = tag >> 2;
      if (size >= 60) {
        const bytes = size - 59;
        size = block.readUIntLE(position, bytes);
        position += bytes;
      }
      used += block.copy(out, used, position, position + size + 1);
      position += size + 1;
      continue;
    }
    const kind = tag & 3;
    const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset =
      kind === 1
        ? ((tag >> 5) << 8) | block.readUInt8(position)
        : kind === 2
          ? block.readUInt16LE(position)
          : block.readUInt32LE(position);
    position += kind === 1 ? 1 : kind === 2 ? 2 : 4;
    for (let i = 0; i < size; i++, used++) out[used] = out.readUInt8(used - offset);
  }
  if (used !== length) throw new Error('a snappy block is not whole');
  return out;
}

/** Reads snappy's framing format and checks its checksums. */
export function unsnap(framed: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let hasIdentifier = false;
  for (let position = 0; position < framed.length;) {
    const type = framed.readUInt8(position);
    const length = framed.readUIntLE(position + 1, 3);
    const chunk = framed.subarray(position + 4, position + 4 + length);
    if (chunk.length !== length) throw new Error('a snappy chunk is cut short');
    position += 4 + length;
    if (type === 0xff) {
      if (chunk.toString('latin1') !== 'sNaPpY') throw new Error('not snappy');
      hasIdentifier = true;
    } else if (type <= 1) {
      if (!hasIdentifier) throw new Error('no stream identifier');
      const content = type === 0 ? unsnapBlock(chunk.subarray(4)) : chunk.subarray(4);
      if (content.length > 65_536) throw new Error('a snappy chunk is too long');
      const crc = crc32c(content);
      const masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
      if (masked !== chunk.readUInt32LE(0)) throw new Error('a snappy checksum is wrong');
      pieces.push(content);
    } else if (type < 0x80) {
      throw new Error('an unknown snappy chunk');
    }
  }
  return Buffer.concat(pieces);
}
