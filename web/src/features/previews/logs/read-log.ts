import { isApiError } from '../../../api/call.ts';
import { requestBytes } from '../loading/load-bytes.ts';

/** Bytes that are loaded at once: the end of the file first, then earlier parts. */
export const logPartBytes = 256 * 1024;
/** Text that is kept while a file is followed, in characters; the earliest is dropped. */
const maxKeptLength = 4 * 1024 * 1024;

/** A part of a text, from byte `first` to before byte `end` of the file. */
export interface LogPart {
  readonly first: number;
  readonly end: number;
  readonly text: string;
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Loads the bytes from `first` to before `end`, without the line that begins before them. */
export async function loadLogPart(
  url: string,
  first: number,
  end: number,
  signal?: AbortSignal,
): Promise<LogPart> {
  const range = [first, end - 1] as const;
  const response = await requestBytes(url, signal ? { range, signal } : { range });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const lineStart = first === 0 ? 0 : bytes.indexOf(10) + 1;
  return { first: first + lineStart, end: first + bytes.length, text: decode(bytes.subarray(lineStart)) };
}

/** Loads what was appended to a file after `part`. Null when the file is shorter than before. */
export async function loadAppended(url: string, part: LogPart): Promise<LogPart | null> {
  try {
    // The last known byte is requested again, because a range behind the end is an error.
    const response = await requestBytes(url, { range: [part.end - 1, part.end - 1 + logPartBytes] });
    const bytes = new Uint8Array(await response.arrayBuffer()).subarray(1);
    if (bytes.length === 0) return part;
    return { ...part, end: part.end + bytes.length, text: (part.text + decode(bytes)).slice(-maxKeptLength) };
  } catch (error) {
    if (isApiError(error, 'range_not_satisfiable')) return null;
    throw error;
  }
}
