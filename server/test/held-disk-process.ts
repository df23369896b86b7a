// A file system (FUSE) with one file whose lookup is answered only on request: a disk that does not respond.
// Usage: held-disk-process MOUNTPOINT. Prints `mounted`, and `held N` whenever N lookups wait. A line on standard
// input answers all waiting and later lookups. The protocol is that of Linux' fuse_kernel.h, version 7.31.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

const [mountPoint = ''] = process.argv.slice(2);
const content = Buffer.from('held content');
const rootNode = 1n;
const fileNode = 2n;
const opcodes = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  open: 14,
  read: 15,
  release: 18,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  interrupt: 36,
  batchForget: 42,
} as const;
const errno = { noEntry: -2, notImplemented: -38 } as const;
const inHeaderBytes = 40;

const device = fs.openSync('/dev/fuse', 'r+');
const mounted = spawnSync(
  'mount',
  ['-i', '-t', 'fuse', '-o', 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other', 'held', mountPoint],
  { stdio: ['ignore', 'inherit', 'inherit', device] },
);
if (mounted.status !== 0) process.exit(1);

function reply(unique: bigint, error: number, body: Buffer = Buffer.alloc(0)): void {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeInt32LE(error, 4);
  head.writeBigUInt64LE(unique, 8);
  fs.writeSync(device, Buffer.concat([head, body]));
}

/** `struct fuse_attr`. */
function attributesOf(node: bigint): Buffer {
  const attributes = Buffer.alloc(88);
  const isFolder = node === rootNode;
  attributes.writeBigUInt64LE(node, 0);
  attributes.writeBigUInt64LE(BigInt(isFolder ? 0 : content.length), 8);
  attributes.writeUInt32LE(isFolder ? 0o040755 : 0o100644, 60);
  attributes.writeUInt32LE(1, 64);
  attributes.writeUInt32LE(4096, 80);
  return attributes;
}

/** `struct fuse_entry_out`: valid for no time, so that each walk looks the name up. */
function entryOut(): Buffer {
  const head = Buffer.alloc(40);
  head.writeBigUInt64LE(fileNode, 0);
  return Buffer.concat([head, attributesOf(fileNode)]);
}

function initOut(): Buffer {
  const out = Buffer.alloc(64);
  out.writeUInt32LE(7, 0);
  out.writeUInt32LE(31, 4);
  out.writeUInt16LE(64, 16);
  out.writeUInt16LE(48, 18);
  out.writeUInt32LE(4096, 20);
  out.writeUInt32LE(1, 24);
  return out;
}

/** `struct fuse_dirent` of the one file. */
function direntOut(): Buffer {
  const name = Buffer.from('held.txt');
  const out = Buffer.alloc(24 + name.length);
  out.writeBigUInt64LE(fileNode, 0);
  out.writeBigUInt64LE(1n, 8);
  out.writeUInt32LE(name.length, 16);
  out.writeUInt32LE(8, 20);
  name.copy(out, 24);
  return out;
}

const waiting: (() => void)[] = [];
let isReleased = false;
function hold(work: () => void): void {
  if (isReleased) {
    work();
    return;
  }
  waiting.push(work);
  process.stdout.write(`held ${waiting.length}\n`);
}
process.stdin.once('data', () => {
  isReleased = true;
  for (const work of waiting.splice(0)) work();
});

function handle(request: Buffer): void {
  const opcode = request.readUInt32LE(4);
  const unique = request.readBigUInt64LE(8);
  const node = request.readBigUInt64LE(16);
  const body = request.subarray(inHeaderBytes);
  switch (opcode) {
    case opcodes.init:
      return reply(unique, 0, initOut());
    case opcodes.lookup: {
      const name = body.toString('utf8', 0, body.length - 1);
      if (name !== 'held.txt') return reply(unique, errno.noEntry);
      return hold(() => reply(unique, 0, entryOut()));
    }
    case opcodes.getattr:
      return reply(unique, 0, Buffer.concat([Buffer.alloc(16), attributesOf(node)]));
    case opcodes.open:
    case opcodes.opendir:
      return reply(unique, 0, Buffer.alloc(16));
    case opcodes.read:
      return reply(unique, 0, content.subarray(Number(body.readBigUInt64LE(8))));
    case opcodes.readdir:
      return reply(unique, 0, body.readBigUInt64LE(8) === 0n ? direntOut() : Buffer.alloc(0));
    case opcodes.release:
    case opcodes.releasedir:
    case opcodes.flush:
      return reply(unique, 0);
    // These have no response.
    case opcodes.forget:
    case opcodes.batchForget:
    case opcodes.interrupt:
      return undefined;
    default:
      return reply(unique, errno.notImplemented);
  }
}

/** The kernel returns one request per read, and refuses buffers smaller than a request may be. */
const buffer = Buffer.alloc(256 * 1024);
function readNext(): void {
  fs.read(device, buffer, 0, buffer.length, null, (error, length) => {
    // The file system was unmounted.
    if (error !== null) process.exit(0);
    handle(Buffer.from(buffer.subarray(0, length)));
    readNext();
  });
}
readNext();
process.stdout.write('mounted\n');
