/**
 * What the server and a decoder process say to each other: one request, one answer, over the decoder's standard input and
 * a descriptor for answers. Each message is two lengths (32 bits, big endian), a JSON text and bytes.
 */

/** The descriptor on which a decoder answers. */
export const answerDescriptor = 3;

/** What kind of file the bytes of a request are; `drawing` is SVG. */
export type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | 'bmp' | 'drawing';

/** A part of a file that the server has open. */
export interface FilePart {
  /** The server's descriptor, as the system shows it to other processes. It stays open until the answer is there. */
  readonly address: string;
  /** Bytes. */
  readonly position: number;
  readonly length: number;
}

/** What is to be made of a picture. */
export interface DecodeRequest {
  readonly kind: PictureKind;
  readonly size: 'thumb' | 'big';
  /** For looking at in a browser: a form that every browser shows, with transparency where there is some. */
  readonly isForBrowser: boolean;
  /** The EXIF orientation; null to go by what the picture says itself. */
  readonly orientation: number | null;
  /** Where the picture's bytes are; null when they come with the request. */
  readonly part: FilePart | null;
}

/** How a request ended; the picture of `made` is in the message's bytes. */
export type DecodeAnswer = (
  | { readonly outcome: 'made'; readonly mediaType: string }
  | { readonly outcome: 'unreadable' }
  | { readonly outcome: 'too_large' }
  /** The part cannot be read from here; the bytes have to be sent. */
  | { readonly outcome: 'unopened' }
) & {
  /** Memory that the decoder uses, in bytes. */
  readonly memoryBytes: number;
};

export interface Message<T> {
  readonly json: T;
  readonly bytes: Buffer;
}

const headBytes = 8;
/** Longest JSON text of a message. */
const maxJsonBytes = 4096;

/** The head and the JSON text of a message; its bytes follow. */
export function messageHead(json: unknown, byteLength: number): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(text.length, 0);
  head.writeUInt32BE(byteLength, 4);
  return Buffer.concat([head, text]);
}

/**
 * Puts messages together from the pieces in which they arrive. The returned function takes a piece and calls `onMessage` for
 * each whole message; it throws when a message is longer than `maxBytes`.
 */
export function messageReader<T>(
  maxBytes: number,
  onMessage: (message: Message<T>) => void,
): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let gathered = 0;
  let wanted = headBytes;
  return (piece) => {
    pieces.push(piece);
    gathered += piece.length;
    while (gathered >= wanted) {
      const all = pieces.length === 1 ? piece : Buffer.concat(pieces, gathered);
      pieces = [all];
      const jsonBytes = all.readUInt32BE(0);
      const byteLength = all.readUInt32BE(4);
      if (jsonBytes > maxJsonBytes || byteLength > maxBytes) throw new Error('the message is too long');
      const end = headBytes + jsonBytes + byteLength;
      if (gathered < end) {
        wanted = end;
        return;
      }
      const rest = all.subarray(end);
      pieces = rest.length === 0 ? [] : [rest];
      gathered = rest.length;
      wanted = headBytes;
      const json = JSON.parse(all.toString('utf8', headBytes, headBytes + jsonBytes)) as T;
      onMessage({ json, bytes: all.subarray(headBytes + jsonBytes, end) });
    }
  };
}
