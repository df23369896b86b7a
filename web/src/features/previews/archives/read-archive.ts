import { requestBytes } from '../loading/load-bytes.ts';
import type { ArchiveContents, ReadPart } from './archive-entries.ts';
import { readTar, tarOfParts, tarOfStream } from './read-tar.ts';
import { readZip } from './read-zip.ts';

/**
 * What the archive at `url` holds. Of zip and tar only the directories are fetched, a compressed tar is read to its end or
 * to a limit. Nothing is unpacked to anywhere. Throws for damaged archives.
 */
export async function readArchive(
  url: string,
  { name, size, signal }: { name: string; size: number; signal: AbortSignal },
): Promise<ArchiveContents> {
  const read: ReadPart = async (first, last) =>
    new Uint8Array(await (await requestBytes(url, { signal, range: [first, last] })).arrayBuffer());
  if (/\.tar$/iu.test(name)) return readTar(tarOfParts(size, read));
  if (!/\.(?:tar\.gz|tgz)$/iu.test(name)) return readZip(size, read);
  const { body } = await requestBytes(url, { signal });
  if (!body) throw new Error('The answer has no bytes.');
  const unpacked = body.pipeThrough(new DecompressionStream('gzip'), { signal });
  const bytes = tarOfStream(unpacked as ReadableStream<Uint8Array<ArrayBuffer>>);
  try {
    return await readTar(bytes);
  } finally {
    bytes.close();
  }
}
