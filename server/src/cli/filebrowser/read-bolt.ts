/**
 * Reads a bbolt file, the B+tree in which File Browser stores its data (docs/reference/filebrowser-api.md
 * §5.5). The file is not trusted: every page, element and value is checked against the bounds of its
 * container, no page is visited twice, and the traversal is not recursive.
 */

/** A file that is not a valid bbolt file. The message is shown to the administrator. */
export class BoltError extends Error {
  override readonly name = 'BoltError';
}

/** A key with its value or its nested bucket. Both are views of the file. */
export type BoltEntry =
  | { readonly key: Buffer; readonly value: Buffer }
  | { readonly key: Buffer; readonly bucket: BoltBucket };

/** A bucket with values and nested buckets, in the order of the file. */
export interface BoltBucket {
  /**
   * Yields the entries; may be called once. Throws {@link BoltError} if the pages of the bucket are damaged.
   */
  entries(): Generator<BoltEntry, void>;
}

/**
 * Maximum size of a file, refused before it is read. Databases of File Browser have at most a few megabytes.
 */
export const maxBoltBytes = 256 * 1024 * 1024;

const pageHeaderBytes = 16;
const elementBytes = 16;
/**
 * Bytes of a meta page covered by its checksum: magic number to free-list, high-water page and transaction.
 */
const metaBytes = 56;
const magic = 0xed0cdaed;
const formatVersion = 2;
const branchFlag = 1;
const leafFlag = 2;
const metaFlag = 4;
const bucketFlag = 1;
/** Root page and sequence of a nested bucket, before its inline page. */
const bucketHeaderBytes = 16;
/** Page sizes of the systems that bbolt supports. */
const pageSizes = [4096, 1024, 2048, 8192, 16_384, 32_768, 65_536];

interface Meta {
  readonly pageSize: number;
  readonly rootPage: number;
  /** Pages from this one on are unused. */
  readonly highWater: number;
  readonly transaction: bigint;
}

/** A node of the tree: a page with its overflow pages, or the inline page of a small bucket. */
interface Node {
  readonly bytes: Buffer;
  readonly flags: number;
  readonly count: number;
}

/** FNV-1a, 64 bits (the parameters of the algorithm's authors). */
function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** Reads the u64 at `offset` as a number; Infinity if it is not a safe integer. */
function readNumber(bytes: Buffer, offset: number): number {
  const value = bytes.readBigUInt64LE(offset);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.POSITIVE_INFINITY;
}

/** Parses the meta page at `offset`; null if it is invalid. */
function readMeta(file: Buffer, offset: number): Meta | null {
  const start = offset + pageHeaderBytes;
  if (start + metaBytes + 8 > file.length) return null;
  if ((file.readUInt16LE(offset + 8) & metaFlag) === 0) return null;
  if (file.readUInt32LE(start) !== magic || file.readUInt32LE(start + 4) !== formatVersion) return null;
  if (fnv1a(file.subarray(start, start + metaBytes)) !== file.readBigUInt64LE(start + metaBytes)) return null;
  return {
    pageSize: file.readUInt32LE(start + 8),
    rootPage: readNumber(file, start + 16),
    highWater: readNumber(file, start + 40),
    transaction: file.readBigUInt64LE(start + 48),
  };
}

/** Returns the newer of the valid meta pages. Throws {@link BoltError} if there is none. */
function findMeta(file: Buffer): Meta {
  const first = readMeta(file, 0);
  const offsets = first === null ? pageSizes : [first.pageSize];
  const found = offsets.map((offset) => {
    const meta = readMeta(file, offset);
    return meta !== null && meta.pageSize === offset ? meta : null;
  });
  const [newest] = [first, ...found]
    .filter((meta) => meta !== null)
    .filter(({ pageSize }) => pageSizes.includes(pageSize))
    .sort((a, b) => (a.transaction < b.transaction ? 1 : -1));
  if (newest !== undefined) return newest;
  const start = file.length >= 20 ? [file.readUInt32LE(16), file.readUInt32BE(16)] : [];
  if (start[0] === magic) throw new BoltError('both headers of the database are damaged');
  if (start[1] === magic) throw new BoltError('the database was written on a big-endian machine');
  throw new BoltError('the file is not a database of File Browser');
}

/** Whether `start`, the first bytes of a file, could begin a bbolt file. Requires at least 20 bytes. */
export const looksLikeBolt = (start: Buffer): boolean =>
  start.length >= 20 && (start.readUInt32LE(16) === magic || start.readUInt32BE(16) === magic);

/** Opens a file that was read into memory. Throws {@link BoltError} if it is not a valid bbolt file. */
export function openBolt(file: Buffer): BoltBucket {
  if (file.length > maxBoltBytes) throw new BoltError('the database is larger than any of File Browser');
  const { pageSize, rootPage, highWater } = findMeta(file);
  const lastPage = Math.min(highWater, Math.floor(file.length / pageSize));
  const visited = new Set<number>();

  const readNode = (bytes: Buffer, where: string): Node => {
    if (bytes.length < pageHeaderBytes) throw new BoltError(`${where} is truncated`);
    const flags = bytes.readUInt16LE(8);
    const count = bytes.readUInt16LE(10);
    if (flags !== branchFlag && flags !== leafFlag)
      throw new BoltError(`${where} is neither branch nor leaf`);
    if (pageHeaderBytes + count * elementBytes > bytes.length) {
      throw new BoltError(`${where} has more elements than fit`);
    }
    return { bytes, flags, count };
  };

  const readPage = (page: number): Node => {
    const where = `page ${page}`;
    if (page < 2 || page >= lastPage) throw new BoltError(`${where} is outside the database`);
    const start = page * pageSize;
    const pages = 1 + file.readUInt32LE(start + 12);
    if (readNumber(file, start) !== page) throw new BoltError(`${where} contains the number of another page`);
    if (page + pages > lastPage) throw new BoltError(`${where} reaches beyond the end`);
    for (let part = page; part < page + pages; part += 1) {
      if (visited.has(part)) throw new BoltError(`${where} is used twice`);
      visited.add(part);
    }
    return readNode(file.subarray(start, start + pages * pageSize), where);
  };

  /** Returns `length` bytes of a node at an offset from `element`; they must follow all elements. */
  const slice = ({ bytes, count }: Node, element: number, offset: number, length: number): Buffer => {
    const start = element + offset;
    if (start < pageHeaderBytes + count * elementBytes || start + length > bytes.length) {
      throw new BoltError('an element points outside its page');
    }
    return bytes.subarray(start, start + length);
  };

  const bucketOf = (value: Buffer): BoltBucket => {
    if (value.length < bucketHeaderBytes) throw new BoltError('the header of a bucket is truncated');
    const root = readNumber(value, 0);
    return bucketAt(() =>
      root === 0 ? readNode(value.subarray(bucketHeaderBytes), 'a bucket') : readPage(root),
    );
  };

  const leafEntry = (node: Node, element: number): BoltEntry => {
    const keyOffset = node.bytes.readUInt32LE(element + 4);
    const keyBytes = node.bytes.readUInt32LE(element + 8);
    const valueBytes = node.bytes.readUInt32LE(element + 12);
    const key = slice(node, element, keyOffset, keyBytes);
    const value = slice(node, element, keyOffset + keyBytes, valueBytes);
    const isBucket = (node.bytes.readUInt32LE(element) & bucketFlag) !== 0;
    return isBucket ? { key, bucket: bucketOf(value) } : { key, value };
  };

  const bucketAt = (readRoot: () => Node): BoltBucket => ({
    *entries() {
      const open: { node: Node; next: number }[] = [{ node: readRoot(), next: 0 }];
      for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
        const { node, next } = top;
        if (next >= node.count) {
          open.pop();
          continue;
        }
        top.next += 1;
        const element = pageHeaderBytes + next * elementBytes;
        if (node.flags === leafFlag) yield leafEntry(node, element);
        else open.push({ node: readPage(readNumber(node.bytes, element + 8)), next: 0 });
      }
    },
  });

  return bucketAt(() => readPage(rootPage));
}
