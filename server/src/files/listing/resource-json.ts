import type { EntryType } from '@filestead/contract/files';
import type { RequestedPath } from '@filestead/contract/paths/virtual-path';
import type { Entry } from '../../storage/storage.ts';
import { type Appearance, trailingProperties, presentEntry } from './present-entry.ts';
import { decodeText, type TextEncoding } from '../../media-types/text-encoding.ts';

/** The content of a text file. */
export interface TextContent {
  readonly bytes: Uint8Array;
  readonly encoding: TextEncoding;
}

/** The details of a file. */
export interface FileDetails {
  readonly entry: Entry;
  readonly type: EntryType;
  readonly subtitles?: readonly string[];
  readonly content?: TextContent | undefined;
  readonly checksums?: Readonly<Record<string, string>>;
}

/** Serializes a file as the JSON of docs/reference/filebrowser-api.md §1.5, in chunks of about a millisecond each. */
export async function* fileAsJson(
  requested: RequestedPath,
  { entry, type, subtitles = [], content, checksums }: FileDetails,
  appearance: Appearance,
): AsyncGenerator<string> {
  yield JSON.stringify(presentEntry(requested, entry, type, appearance)).slice(0, -1);
  if (subtitles.length > 0) yield `,"subtitles":${JSON.stringify(subtitles)}`;
  if (content !== undefined && content.bytes.length > 0) {
    yield ',"content":"';
    for (const text of decodeText(content.bytes, content.encoding)) {
      yield JSON.stringify(text).slice(1, -1);
    }
    yield '"';
    if (!content.encoding.isFaithful) yield `,"encoding":${JSON.stringify(content.encoding.name)}`;
  }
  if (checksums) yield `,"checksums":${JSON.stringify(checksums)}`;
  for (const [key, value] of Object.entries(trailingProperties(appearance)))
    yield `,"${key}":${JSON.stringify(value)}`;
  yield '}';
}
