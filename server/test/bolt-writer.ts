/** Writes bbolt files for tests from the description of the format. It shares no code with the reader. */

/** The content of a bucket: values and nested buckets. */
export interface BucketContent {
  readonly [key: string]: string | Buffer | BucketContent;
}

export interface BoltFileOptions {
  readonly pageSize?: number;
  /** Maximum number of elements of a leaf, so that branch pages occur. */
  readonly elementsPerLeaf?: number;
  readonly elementsPerBranch?: number;
  /** Maximum size in bytes of buckets that are stored inside their parent. */
  readonly inlineBytes?: number;
  /** Of the newer meta page; its page is this modulo 2. */
  readonly transaction?: number;
}

interface Element {
  readonly flags: number;
  readonly key: Buffer;
  readonly value: Buffer;
}

const isBucket = (value: string | Buffer | BucketContent): value is BucketContent =>
  typeof value !== 'string' && !Buffer.isBuffer(value);

/** Keys are latin1 so that a test can write any byte. */
const keyOf = (key: string): Buffer => Buffer.from(key, 'latin1');

function pageHeader(id: number, flags: number, count: number, overflow: number): Buffer {
  const header = Buffer.alloc(16);
  header.writeBigUInt64LE(BigInt(id), 0);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(count, 10);
  header.writeUInt32LE(overflow, 12);
  return header;
}

function leafBody(elements: readonly Element[]): Buffer {
  const table = Buffer.alloc(elements.length * 16);
  const data: Buffer[] = [];
  let end = table.length;
  elements.forEach(({ flags, key, value }, index) => {
    table.writeUInt32LE(flags, index * 16);
    table.writeUInt32LE(end - index * 16, index * 16 + 4);
    table.writeUInt32LE(key.length, index * 16 + 8);
    table.writeUInt32LE(value.length, index * 16 + 12);
    data.push(key, value);
    end += key.length + value.length;
  });
  return Buffer.concat([table, ...data]);
}

function branchBody(children: readonly { key: Buffer; page: number }[]): Buffer {
  const table = Buffer.alloc(children.length * 16);
  const data: Buffer[] = [];
  let end = table.length;
  children.forEach(({ key, page }, index) => {
    table.writeUInt32LE(end - index * 16, index * 16);
    table.writeUInt32LE(key.length, index * 16 + 4);
    table.writeBigUInt64LE(BigInt(page), index * 16 + 8);
    data.push(key);
    end += key.length;
  });
  return Buffer.concat([table, ...data]);
}

function checksum(bytes: Buffer): bigint {
  return bytes.reduce(
    (hash, byte) => ((hash ^ BigInt(byte)) * 1_099_511_628_211n) & 0xffff_ffff_ffff_ffffn,
    14_695_981_039_346_656_037n,
  );
}

/** Returns the bytes of a file with `content`. */
export function writeBolt(content: BucketContent, options: BoltFileOptions = {}): Buffer {
  const {
    pageSize = 4096,
    elementsPerLeaf = 20,
    elementsPerBranch = 5,
    inlineBytes = 200,
    transaction = 7,
  } = options;
  const pages = new Map<number, Buffer>();
  // 0 and 1 are the metas, 2 the free list, 3 a page that is free.
  let nextPage = 4;

  const writePage = (flags: number, count: number, body: Buffer): number => {
    const id = nextPage;
    const total = Math.ceil((body.length + 16) / pageSize);
    nextPage += total;
    const page = Buffer.concat([pageHeader(id, flags, count, total - 1), body]);
    pages.set(id, Buffer.concat([page, Buffer.alloc(total * pageSize - page.length)]));
    return id;
  };

  const writeTree = (elements: readonly Element[]): number => {
    let level: { key: Buffer; page: number }[] = [];
    for (let start = 0; start === 0 || start < elements.length; start += elementsPerLeaf) {
      const part = elements.slice(start, start + elementsPerLeaf);
      const page = writePage(2, part.length, leafBody(part));
      level.push({ key: part[0]?.key ?? Buffer.alloc(0), page });
    }
    while (level.length > 1) {
      const above: { key: Buffer; page: number }[] = [];
      for (let start = 0; start < level.length; start += elementsPerBranch) {
        const part = level.slice(start, start + elementsPerBranch);
        above.push({
          key: part[0]?.key ?? Buffer.alloc(0),
          page: writePage(1, part.length, branchBody(part)),
        });
      }
      level = above;
    }
    return level[0]?.page ?? 0;
  };

  const elementsOf = (bucket: BucketContent): Element[] =>
    Object.entries(bucket)
      .map(([key, value]) => ({ key: keyOf(key), value }))
      .toSorted((a, b) => Buffer.compare(a.key, b.key))
      .map(({ key, value }) =>
        isBucket(value)
          ? { flags: 1, key, value: writeBucket(value) }
          : { flags: 0, key, value: Buffer.isBuffer(value) ? value : Buffer.from(value) },
      );

  const writeBucket = (bucket: BucketContent): Buffer => {
    const elements = elementsOf(bucket);
    const head = Buffer.alloc(16);
    head.writeBigUInt64LE(3n, 8);
    const body = leafBody(elements);
    const canBeInline = elements.every(({ flags }) => flags === 0) && body.length <= inlineBytes;
    if (canBeInline) return Buffer.concat([head, pageHeader(0, 2, elements.length, 0), body]);
    head.writeBigUInt64LE(BigInt(writeTree(elements)), 0);
    return head;
  };

  const root = writeTree(elementsOf(content));
  const freeList = Buffer.alloc(8);
  freeList.writeBigUInt64LE(3n, 0);

  const metaPage = (id: number, rootPage: number, number: number): Buffer => {
    const meta = Buffer.alloc(56);
    meta.writeUInt32LE(0xed0cdaed, 0);
    meta.writeUInt32LE(2, 4);
    meta.writeUInt32LE(pageSize, 8);
    meta.writeBigUInt64LE(BigInt(rootPage), 16);
    meta.writeBigUInt64LE(2n, 32);
    meta.writeBigUInt64LE(BigInt(nextPage), 40);
    meta.writeBigUInt64LE(BigInt(number), 48);
    const sum = Buffer.alloc(8);
    sum.writeBigUInt64LE(checksum(meta), 0);
    const page = Buffer.concat([pageHeader(id, 4, 0, 0), meta, sum]);
    return Buffer.concat([page, Buffer.alloc(pageSize - page.length)]);
  };

  const file = Buffer.alloc(nextPage * pageSize);
  // In the older transaction the bucket was empty and had a separate page.
  file.set(Buffer.concat([pageHeader(3, 2, 0, 0)]), 3 * pageSize);
  file.set(metaPage(transaction % 2, root, transaction), (transaction % 2) * pageSize);
  file.set(metaPage((transaction + 1) % 2, 3, transaction - 1), ((transaction + 1) % 2) * pageSize);
  file.set(Buffer.concat([pageHeader(2, 16, 1, 0), freeList]), 2 * pageSize);
  for (const [id, page] of pages) file.set(page, id * pageSize);
  return file;
}
