// Detects the system and the processor of a program or library by the first bytes of its file.
import { closeSync, openSync, readSync } from 'node:fs';

const elfMachines = new Map([
  [0x3e, 'linux-x64'],
  [0xb7, 'linux-arm64'],
]);
const machProcessors = new Map([
  [0x01000007, 'darwin-x64'],
  [0x0100000c, 'darwin-arm64'],
]);

/** Returns the platform of a binary, such as `linux-x64`; null for other files. */
export function platformOf(path) {
  const bytes = Buffer.alloc(1_024);
  const file = openSync(path, 'r');
  readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  if (bytes.readUInt32BE(0) === 0x7f454c46) return elfMachines.get(bytes.readUInt16LE(18)) ?? 'other ELF';
  if (bytes.readUInt32LE(0) === 0xfeedfacf)
    return machProcessors.get(bytes.readUInt32LE(4)) ?? 'other Mach-O';
  if (bytes.subarray(0, 2).toString('latin1') !== 'MZ') return null;
  const header = bytes.readUInt32LE(0x3c);
  return bytes.readUInt16LE(header + 4) === 0x8664 ? 'win-x64' : 'other PE';
}
