/** A decoder that receives its input in chunks. */
export interface ChunkDecoder {
  write(chunk: Uint8Array): string;
  end(): string;
}

/** The characters of the codes 0x80 to 0x9F in windows-1252 (Encoding Standard, index windows-1252). */
const upperControls =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F' +
  '\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

/** Decodes windows-1252, which Node.js 20 decodes as Latin-1. */
const decodeWindows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (control) => upperControls.charAt(control.charCodeAt(0) - 0x80));

/** Whether texts in an encoding can be decoded. */
export function isKnownEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

/** Creates a decoder of an encoding of the Encoding Standard. Throws a `RangeError` for another one. */
export function openDecoder(name: string): ChunkDecoder {
  const decoder = new TextDecoder(name);
  if (decoder.encoding === 'windows-1252') return { write: decodeWindows1252, end: () => '' };
  return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}

/** Decodes a whole text. */
export function decodeWhole(bytes: Uint8Array, name: string): string {
  const decoder = openDecoder(name);
  return decoder.write(bytes) + decoder.end();
}
