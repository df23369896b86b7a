import { type EntryType, entryTypes, type ListingRow } from '@filestead/contract/files';
import { naturalOrder } from '@filestead/contract/paths/natural-order';

/** Returns a generator of pseudo-random numbers that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const stems = [
  'archive-scan',
  'draft-budget',
  'Meeting notes',
  'IMG',
  'DSC',
  'отчёт',
  'фото',
  '写真',
  '报告',
  'מסמך',
  'تقرير',
  'Übersicht',
  'résumé',
  'holiday in the mountains with the whole family',
  'invoice',
];
const folderStems = ['Photos', 'Projekte', 'Clients', 'Музыка', 'مشاريع', 'Backup'];
const extensions: readonly (readonly [extension: string, type: EntryType])[] = [
  ['.jpg', 'image'],
  ['.png', 'image'],
  ['.pdf', 'pdf'],
  ['.txt', 'text'],
  ['.md', 'text'],
  ['.mp3', 'audio'],
  ['.mp4', 'video'],
  ['.zip', 'blob'],
  ['.docx', 'blob'],
  ['.csv', 'text'],
  ['.ts', 'text'],
  ['', 'blob'],
];

const firstMs = Date.UTC(2015, 0, 1);
const lastMs = Date.UTC(2026, 10, 20);

/** Generates the rows of a folder with `count` pictures, the same in every run. */
export function generatePhotos(count: number): { rows: ListingRow[]; numDirs: number; numFiles: number } {
  const random = seededRandom(count);
  const image = entryTypes.indexOf('image');
  const rows = Array.from({ length: count }, (_, index): ListingRow => {
    const modifiedMs = Math.floor(firstMs + random() * (lastMs - firstMs));
    return [`IMG_${String(index).padStart(6, '0')}.jpg`, Math.floor(2 ** (random() * 24)), modifiedMs, image];
  });
  return { rows, numDirs: 0, numFiles: count };
}

/** Generates the rows of a folder with `count` entries, 2 % of them folders, the same in every run. */
export function generateEntries(count: number): { rows: ListingRow[]; numDirs: number; numFiles: number } {
  const random = seededRandom(count);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const numDirs = Math.ceil(count * 0.02);
  const entries: ListingRow[] = [];
  for (let index = 0; index < count; index++) {
    const modifiedMs = Math.floor(firstMs + random() * (lastMs - firstMs));
    if (index < numDirs) {
      entries.push([`${pick(folderStems)} ${index}`, 4096, modifiedMs, entryTypes.indexOf('')]);
      continue;
    }
    const [extension, type] = pick(extensions);
    const size = Math.floor(2 ** (random() * 32));
    entries.push([`${pick(stems)}-${index}${extension}`, size, modifiedMs, entryTypes.indexOf(type)]);
  }
  const inOrder = (part: ListingRow[]): ListingRow[] =>
    Array.from(naturalOrder(part.map(([name]) => name)), (index) => part[index] as ListingRow);
  const rows = [...inOrder(entries.slice(0, numDirs)), ...inOrder(entries.slice(numDirs))];
  return { rows, numDirs, numFiles: count - numDirs };
}
