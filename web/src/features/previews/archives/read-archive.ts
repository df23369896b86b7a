import { requestBytes } from '../loading/load-bytes.ts';
import type { ArchiveContents, ReadRange } from './archive-entries.ts';
import { readTar, tarFromRanges, tarFromStream } from './read-tar.ts';
import { readZip } from './read-zip.ts';

/**
 * Lists the archive at `url`. Of a zip or tar file only the headers are fetched; a compressed tar is read to its end
 * or up to a limit. Nothing is written anywhere. Throws for damaged archives.
 */
export async function readArchive(
  url: string,
  { name, size, signal }: { name: string; size: number; signal: AbortSignal },
): Promise<ArchiveContents> {
  const read: ReadRange = async (first, last) =>
    new Uint8Array(await (await requestBytes(url, { signal, range: [first, last] })).arrayBuffer());
  if (/\.tar$/iu.test(name)) return readTar(tarFromRanges(size, read));
  if (!/\.(?:tar\.gz|tgz)$/iu.test(name)) return readZip(size, read);
  const { body } = await requestBytes(url, { signal });
  if (!body) throw new Error('The response has no body.');
  const unpacked = body.pipeThrough(new DecompressionStream('gzip'), { signal });
  const bytes = tarFromStream(unpacked as ReadableStream<Uint8Array<ArrayBuffer>>);
  try {
    return await readTar(bytes);
  } finally {
    bytes.close();
  }
}
