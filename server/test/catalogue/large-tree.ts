import { type Random, randomOf } from '../random.ts';
import type { ScannedFolder } from '../../src/storage/disk/scan/scan-protocol.ts';

/** A folder of a generated tree, depth first, with the names of its files and folders. */
export interface TreeFolder {
  /** From the root, without a leading slash; empty for the root. */
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const words = [
  'report',
  'invoice',
  'holiday',
  'meeting',
  'notes',
  'project',
  'budget',
  'draft',
  'final',
  'contract',
  'summer',
  'winter',
  'family',
  'garden',
  'house',
  'letter',
  'photo',
  'scan',
  'backup',
  'archive',
  'index',
  'main',
  'test',
  'utils',
  'config',
  'readme',
  'license',
  'package',
  'module',
  'component',
  'Müller',
  'Straße',
  'Rechnung',
  'Übersicht',
  'Größe',
  'été',
  'façade',
  'naïve',
  'señor',
  'mañana',
  'отчёт',
  'договор',
  'фото',
  'семья',
  '写真',
  '請求書',
  '旅行',
  '会議',
  '보고서',
  '사진',
] as const;
const extensions = [
  '.jpg',
  '.jpg',
  '.jpg',
  '.pdf',
  '.txt',
  '.ts',
  '.js',
  '.md',
  '.png',
  '.docx',
  '.mp3',
  '.html',
  '',
] as const;

const nameOf = (random: Random, number: number): string => {
  switch (random.below(4)) {
    case 0:
      return `IMG_${String(number).padStart(5, '0')}.jpg`;
    case 1:
      return `${random.pick(words)}-${random.pick(words)} ${2000 + random.below(27)}-${number}${random.pick(extensions)}`;
    case 2:
      return `${random.pick(words)}${random.pick(words)}${number}${random.pick(extensions)}`;
    default:
      return `${random.pick(words)} ${number}${random.pick(extensions)}`;
  }
};

/** The folders of a tree of about `entries` files and folders, 7.5 per folder on average, at most 12 levels deep. */
export function* treeOf(entries: number): Generator<TreeFolder> {
  const random = randomOf(11);
  let left = entries;
  let number = 0;
  const pending: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, depth } = next;
    const folders = Array.from(
      { length: Math.min(left, depth === 0 ? 40 : depth > 11 ? 0 : random.below(5)) },
      () => `${random.pick(words)} ${++number}`,
    );
    const files = Array.from({ length: Math.min(left, random.below(13)) }, () => nameOf(random, ++number));
    left -= folders.length + files.length;
    yield { path, files, folders };
    const prefix = path === '' ? '' : `${path}/`;
    for (const name of folders.toReversed()) pending.push({ path: prefix + name, depth: depth + 1 });
  }
}

/** The folder as the scanning thread would report it. */
export function scannedOf({ path, files, folders }: TreeFolder, time: number): ScannedFolder {
  const count = files.length + folders.length;
  return {
    path,
    state: 'read',
    modified: Number.NaN,
    time,
    names: [...files, ...folders].join('\0'),
    kinds: Uint8Array.from({ length: count }, (_, i) => (i < files.length ? 0 : 1)),
    sizes: Float64Array.from({ length: count }, (_, i) => (i < files.length ? 1000 + i * 37 : 0)),
    blocks: new Float64Array(count).fill(8),
    times: new Float64Array(count).fill(time),
  };
}
