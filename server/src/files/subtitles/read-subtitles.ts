import { type RequestedPath, extensionOf, nameOf } from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { isSubtitleName } from './find-subtitles.ts';
import { readUpTo } from '../read-up-to.ts';
import { decodeText, encodingOf } from '../text-encoding.ts';
import { assToWebVtt, srtToWebVtt } from './to-webvtt.ts';

/** Subtitles of a whole film are a few hundred kilobytes; larger files are something else (bytes). */
const maxSubtitleBytes = 4 * 1024 * 1024;

/**
 * A subtitle file as WebVTT, in pieces; whatever its encoding. Throws `bad_request` for what is no subtitle file or too
 * large for one, `not_found`, `forbidden`, `special_file`.
 */
export async function readSubtitles(
  storage: Storage,
  { path }: RequestedPath,
): Promise<AsyncGenerator<string>> {
  const entry = await storage.stat(path);
  if (entry === null) throw new AppError('not_found');
  const name = nameOf(path);
  if (entry.kind === 'folder' || !isSubtitleName(name)) throw new AppError('bad_request', 'no subtitle file');
  const file = await storage.openFile(path);
  try {
    if (file.entry.size > maxSubtitleBytes) throw new AppError('bad_request', 'too large for subtitles');
    const bytes = await readUpTo(file, file.entry.size);
    const text = decodeText(bytes, encodingOf(bytes).name);
    const extension = extensionOf(name).toLowerCase();
    return inPieces(extension === '.vtt' ? text : convert(extension, [...text].join('')));
  } finally {
    await file.close();
  }
}

const convert = (extension: string, text: string): Iterable<string> =>
  extension === '.srt' ? srtToWebVtt(text) : assToWebVtt(text);

async function* inPieces(texts: Iterable<string>): AsyncGenerator<string> {
  for (const text of texts) yield text;
}
