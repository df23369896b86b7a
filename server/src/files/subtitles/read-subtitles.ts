import { type RequestedPath, extensionOf, nameOf } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { isSubtitleName } from './find-subtitles.ts';
import { readUpTo } from '../read-up-to.ts';
import { decodeText, encodingOf } from '../../media-types/text-encoding.ts';
import { assToWebVtt, srtToWebVtt } from './to-webvtt.ts';

/** Maximum size of a subtitle file in bytes. Subtitles of a film have a few hundred kilobytes. */
const maxSubtitleBytes = 4 * 1024 * 1024;

/**
 * Reads a subtitle file in any encoding and returns it as WebVTT, in chunks. Throws `bad_request` if it is not a subtitle
 * file or too large, `not_found`, `forbidden`, `special_file`.
 */
export async function readSubtitles(
  storage: Storage,
  { path }: RequestedPath,
): Promise<AsyncGenerator<string>> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  const name = nameOf(path);
  if (entry.kind === 'folder' || !isSubtitleName(name))
    throw new AppError('bad_request', 'not a subtitle file');
  const file = await storage.openFile(path);
  try {
    if (file.entry.size > maxSubtitleBytes)
      throw new AppError('bad_request', 'the subtitle file is too large');
    const bytes = await readUpTo(file, file.entry.size);
    const text = decodeText(bytes, await encodingOf(bytes));
    const extension = extensionOf(name).toLowerCase();
    return toAsync(extension === '.vtt' ? text : convert(extension, [...text].join('')));
  } finally {
    await file.close();
  }
}

const convert = (extension: string, text: string): Iterable<string> =>
  extension === '.srt' ? srtToWebVtt(text) : assToWebVtt(text);

async function* toAsync(texts: Iterable<string>): AsyncGenerator<string> {
  for (const text of texts) yield text;
}
