/**
 * The protocol between the server and a decoder process: one request, one response, over the decoder's standard input and
 * a descriptor for responses. Each message consists of two lengths (32 bits, big endian), a JSON text and bytes.
 */

import type { PreviewSize } from '@filestead/contract/previews';

/** The descriptor to which a decoder writes its responses. */
export const responseDescriptor = 3;

/** The kind of a picture file. */
export type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | 'bmp' | 'svg';

/** A part of a file that the server has opened. */
export interface FilePart {
  /** The path of the server's file descriptor, as seen by other processes. It stays open until the response arrives. */
  readonly address: string;
  /** Offset in the file, in bytes. */
  readonly position: number;
  readonly length: number;
}

/** A request to make a small picture. */
export interface DecodeRequest {
  readonly kind: PictureKind;
  readonly size: PreviewSize;
  /** The result is for a browser: in a format that all browsers support, with transparency where the source has it. */
  readonly isForBrowser: boolean;
  /** The EXIF orientation; null to use that of the picture itself. */
  readonly orientation: number | null;
  /** The position of the picture in an open file; null when its bytes are sent with the request. */
  readonly part: FilePart | null;
}

/** The result of a request. The bytes of the message contain the picture of `made`. */
export type DecodeResponse = (
  | { readonly outcome: 'made'; readonly mediaType: string }
  | { readonly outcome: 'unreadable' }
  | { readonly outcome: 'too_large' }
  /** The decoder cannot open the part; the bytes have to be sent. */
  | { readonly outcome: 'unopened' }
) & {
  /** The decoder's memory use, in bytes. */
  readonly memoryBytes: number;
};

/** A message of the protocol, in either direction. */
export interface Message<T> {
  readonly json: T;
  readonly bytes: Buffer;
}

const headBytes = 8;
/** Maximum length of a message's JSON text. */
const maxJsonBytes = 4096;

/** Returns the header and JSON text of a message, which its bytes follow. */
export function messageHead(json: unknown, byteLength: number): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(text.length, 0);
  head.writeUInt32BE(byteLength, 4);
  return Buffer.concat([head, text]);
}

/**
 * Assembles messages from chunks. The returned function accepts a chunk and calls `onMessage` for each complete
 * message; it throws when a message is longer than `maxBytes`.
 */
export function messageReader<T>(
  maxBytes: number,
  onMessage: (message: Message<T>) => void,
): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let buffered = 0;
  let needed = headBytes;
  return (piece) => {
    pieces.push(piece);
    buffered += piece.length;
    while (buffered >= needed) {
      const all = pieces.length === 1 ? piece : Buffer.concat(pieces, buffered);
      pieces = [all];
      const jsonBytes = all.readUInt32BE(0);
      const byteLength = all.readUInt32BE(4);
      if (jsonBytes > maxJsonBytes || byteLength > maxBytes) throw new Error('the message is too long');
      const end = headBytes + jsonBytes + byteLength;
      if (buffered < end) {
        needed = end;
        return;
      }
      const rest = all.subarray(end);
      pieces = rest.length === 0 ? [] : [rest];
      buffered = rest.length;
      needed = headBytes;
      const json = JSON.parse(all.toString('utf8', headBytes, headBytes + jsonBytes)) as T;
      onMessage({ json, bytes: all.subarray(headBytes + jsonBytes, end) });
    }
  };
}
