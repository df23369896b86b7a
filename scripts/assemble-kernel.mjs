// Assembles server/src/catalogue/names/scan-kernel.wat. `node scripts/assemble-kernel.mjs` writes scan-kernel.ts beside it; a test
// compares the two. Supports only the instructions and the folded form that the kernel uses.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../server/src/catalogue/names/', import.meta.url));

const types = { i32: 0x7f, v128: 0x7b };
const empty = 0x40;
/** The bytes of the instructions, by name. `memory`: the alignment that follows, with an offset of 0. */
const instructions = {
  'i32.load8_u': { bytes: [0x2d], memory: 0 },
  'i32.store': { bytes: [0x36], memory: 2 },
  'i32.eqz': { bytes: [0x45] },
  'i32.ne': { bytes: [0x47] },
  'i32.ge_u': { bytes: [0x4f] },
  'i32.ctz': { bytes: [0x68] },
  'i32.add': { bytes: [0x6a] },
  'i32.sub': { bytes: [0x6b] },
  'i32.and': { bytes: [0x71] },
  'i32.shl': { bytes: [0x74] },
  'v128.load': { bytes: [0xfd, 0x00], memory: 0 },
  'i8x16.splat': { bytes: [0xfd, 0x0f] },
  'i8x16.eq': { bytes: [0xfd, 0x23] },
  'v128.and': { bytes: [0xfd, 0x4e] },
  'i8x16.bitmask': { bytes: [0xfd, 0x64] },
  return: { bytes: [0x0f] },
};

/** Encodes a number as unsigned LEB128. */
function unsigned(value) {
  const bytes = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

/** Encodes a number as signed LEB128. */
function signed(value) {
  const bytes = [];
  for (;;) {
    const byte = value & 0x7f;
    value >>= 7;
    if ((value === 0 && (byte & 0x40) === 0) || (value === -1 && (byte & 0x40) !== 0))
      return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

const text = (value) => [...unsigned(value.length), ...Buffer.from(value)];
const section = (id, bytes) => [id, ...unsigned(bytes.length), ...bytes];

/** Parses nested lists of words. */
function parse(source) {
  const words = source.replaceAll(/;;.*/g, '').match(/\(|\)|"[^"]*"|[^\s()]+/g) ?? [];
  const stack = [[]];
  for (const word of words) {
    if (word === '(') stack.push([]);
    else if (word === ')') {
      const list = stack.pop();
      stack.at(-1).push(list);
    } else stack.at(-1).push(word.startsWith('"') ? word.slice(1, -1) : word);
  }
  return stack[0][0];
}

/** Encodes one folded instruction. `labels` are the enclosing blocks, the innermost last. */
function encode(list, locals, labels) {
  const [name, ...rest] = list;
  const encodeAll = (lists, inner = labels) => lists.flatMap((item) => encode(item, locals, inner));
  const local = (reference) => unsigned(locals.indexOf(reference));
  const label = (reference) => unsigned(labels.length - 1 - labels.lastIndexOf(reference));
  switch (name) {
    case 'local.get':
      return [0x20, ...local(rest[0])];
    case 'local.set':
      return [...encodeAll(rest.slice(1)), 0x21, ...local(rest[0])];
    case 'i32.const':
      return [0x41, ...signed(Number(rest[0]))];
    case 'block':
    case 'loop':
      return [name === 'block' ? 0x02 : 0x03, empty, ...encodeAll(rest.slice(1), [...labels, rest[0]]), 0x0b];
    case 'if':
      return [...encodeAll([rest[0]]), 0x04, empty, ...encodeAll(rest[1].slice(1), [...labels, '']), 0x0b];
    case 'br':
      return [0x0c, ...label(rest[0])];
    case 'br_if':
      return [...encodeAll(rest.slice(1)), 0x0d, ...label(rest[0])];
    default: {
      const instruction = instructions[name];
      if (instruction === undefined) throw new Error(`unknown instruction ${name}`);
      const { bytes, memory } = instruction;
      return [...encodeAll(rest), ...bytes, ...(memory === undefined ? [] : [memory, 0])];
    }
  }
}

/** Assembles the text of a module with one imported memory and one exported function. */
export function assemble(source) {
  const [, imported, func] = parse(source);
  const [, from, memoryName, [, min, max]] = imported;
  const named = (kind) => func.filter((part) => Array.isArray(part) && part[0] === kind);
  const params = named('param');
  const results = named('result');
  const declared = named('local');
  const [[, exportName]] = named('export');
  const locals = [...params, ...declared].map(([, name]) => name);
  const body = func.filter(
    (part) => Array.isArray(part) && !['param', 'result', 'local', 'export'].includes(part[0]),
  );
  const code = [
    ...unsigned(declared.length),
    ...declared.flatMap(([, , type]) => [1, types[type]]),
    ...body.flatMap((list) => encode(list, locals, [])),
    0x0b,
  ];
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, [
      1,
      0x60,
      params.length,
      ...params.map(([, , type]) => types[type]),
      results.length,
      ...results.map(([, type]) => types[type]),
    ]),
    ...section(2, [
      1,
      ...text(from),
      ...text(memoryName),
      0x02,
      0x01,
      ...unsigned(Number(min)),
      ...unsigned(Number(max)),
    ]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text(exportName), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

/** The text of scan-kernel.ts for the assembled bytes. */
export function moduleText(bytes) {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,96}/g) ?? [];
  return [
    '/** The bytes of scan-kernel.wat, in Base64. Written by scripts/assemble-kernel.mjs. */',
    'export const scanKernel = [',
    ...lines.map((line) => `  '${line}',`),
    "].join('');",
    '',
  ].join('\n');
}

/** The text of scan-kernel.ts for the current source. */
export const kernelModule = () => moduleText(assemble(readFileSync(join(folder, 'scan-kernel.wat'), 'utf8')));

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(folder, 'scan-kernel.ts'), kernelModule());
