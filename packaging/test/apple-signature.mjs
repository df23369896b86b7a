// Verifies the code signature of a program for macOS with openssl, on any system.
import { X509Certificate, createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecked } from './product.mjs';

/** Constants of Apple's `loader.h` and `cs_blobs.h`. */
const loadCommandSignature = 0x1d;
const superBlobMagic = 0xfade0cc0;
const codeDirectorySlot = 0;
const cmsSlot = 0x1_0000;
const hashTypeSha256 = 2;

/** Apple's root certificate (https://www.apple.com/certificateauthority/), by its SHA-256 fingerprint. */
const appleRoot =
  'B0:B1:73:0E:CB:C7:FF:45:05:14:2C:49:F1:29:5E:6E:DA:6B:CA:ED:7E:2C:68:C5:BE:91:B5:A1:10:01:F0:24';

/** Returns the blobs of the signature of a 64-bit Mach-O program by their slots. Throws without a signature. */
function readBlobs(program) {
  let offset = 32;
  for (let left = program.readUInt32LE(16); left > 0; left -= 1) {
    if (program.readUInt32LE(offset) === loadCommandSignature) break;
    if (left === 1) throw new Error('the program is not signed');
    offset += program.readUInt32LE(offset + 4);
  }
  const start = program.readUInt32LE(offset + 8);
  const signature = program.subarray(start, start + program.readUInt32LE(offset + 12));
  if (signature.readUInt32BE(0) !== superBlobMagic) throw new Error('the signature has an unknown format');
  const blobs = new Map();
  for (let index = 0; index < signature.readUInt32BE(8); index += 1) {
    const at = signature.readUInt32BE(16 + index * 8);
    blobs.set(
      signature.readUInt32BE(12 + index * 8),
      signature.subarray(at, at + signature.readUInt32BE(at + 4)),
    );
  }
  return blobs;
}

/** Throws unless every page of the program has the hash that the code directory contains. */
function assertPages(program, directory) {
  if (directory[37] !== hashTypeSha256) throw new Error('the code directory has no SHA-256 hashes');
  const [hashes, count, limit] = [16, 28, 32].map((at) => directory.readUInt32BE(at));
  const pageBytes = 2 ** directory[39];
  if (count !== Math.ceil(limit / pageBytes)) throw new Error('the code directory does not list all pages');
  for (let index = 0; index < count; index += 1) {
    const page = program.subarray(index * pageBytes, Math.min((index + 1) * pageBytes, limit));
    const expected = directory.subarray(hashes + index * 32, hashes + (index + 1) * 32);
    if (!createHash('sha256').update(page).digest().equals(expected))
      throw new Error(`page ${index} was changed`);
  }
}

/**
 * Verifies that the program at `path` is as its author signed it, and that the certificate of the author chains to Apple's root. Returns the
 * subject of that certificate. Throws for anything else.
 */
export function verifyAppleSignature(path) {
  const program = readFileSync(path);
  const blobs = readBlobs(program);
  const directory = blobs.get(codeDirectorySlot);
  assertPages(program, directory);
  const folder = mkdtempSync(join(tmpdir(), 'filestead-signature-'));
  const file = (name) => join(folder, name);
  try {
    writeFileSync(file('directory'), directory);
    writeFileSync(file('cms'), blobs.get(cmsSlot).subarray(8));
    const { stdout } = runChecked('openssl', ['pkcs7', '-inform', 'DER', '-in', file('cms'), '-print_certs']);
    const certificates = stdout.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
    const root = certificates.find((text) => new X509Certificate(text).fingerprint256 === appleRoot);
    if (root === undefined) throw new Error('the certificate of Apple is missing');
    writeFileSync(file('root.pem'), root);
    // Apple's certificates have critical extensions of their own, and a signature is valid beyond the end of its certificate.
    const chain = ['-CAfile', file('root.pem'), '-purpose', 'any', '-no_check_time', '-ignore_critical'];
    const input = ['-inform', 'DER', '-in', file('cms'), '-binary', '-content', file('directory')];
    const output = ['-out', file('content'), '-signer', file('signer.pem')];
    runChecked('openssl', ['cms', '-verify', ...input, ...chain, ...output]);
    return new X509Certificate(readFileSync(file('signer.pem'))).subject;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
