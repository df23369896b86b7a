import { i18n } from '../../../../i18n/i18n.ts';
import type { FileIconKind } from '../../../../ui/names/file-icon.tsx';
import { fileKind, lowerCaseExtension } from '../../../../ui/names/file-kind.ts';
import type { ListingItem } from '../model/listing-entries.ts';

/** The kinds with a name of their own, by the extensions of their files. */
const kindsByExtension = {
  word: 'doc docm docx dot dotx',
  excel: 'xls xlsb xlsm xlsx xlt xltx',
  powerpoint: 'pot potx pps ppsx ppt pptm pptx',
  markdown: 'markdown md',
  shell: 'bash fish sh zsh',
  log: 'log',
} as const;
type KindText = keyof typeof kindsByExtension;
const kindTexts = new Map<string, KindText>();
for (const [kind, extensions] of Object.entries(kindsByExtension)) {
  for (const extension of extensions.split(' ')) kindTexts.set(extension, kind as KindText);
}

/** Kinds that are named together with the format, as in "JPEG image". */
const kindsWithFormat: ReadonlySet<FileIconKind> = new Set([
  'image',
  'audio',
  'video',
  'archive',
  'font',
  'code',
  'other',
]);
const formatNames = new Map([
  ['jpg', 'JPEG'],
  ['jpe', 'JPEG'],
  ['tif', 'TIFF'],
  ['js', 'JavaScript'],
  ['ts', 'TypeScript'],
  ['py', 'Python'],
]);
/** Longer extensions say nothing about the format. */
const maxFormatLength = 6;

/** Returns the name of the kind of an entry, such as "JPEG image" or "Excel workbook". */
export function kindName(item: Pick<ListingItem, 'name' | 'type' | 'isFolder'>): string {
  const kind = fileKind(item);
  if (kind === 'folder') return i18n.t('files:kinds.folder');
  if (kind === 'broken') return i18n.t('files:kinds.invalid_link');
  if (kind === 'pdf') return i18n.t('files:kinds.pdf');
  const extension = lowerCaseExtension(item.name);
  const text = kindTexts.get(extension);
  if (text !== undefined) return i18n.t(`files:kindNames.${text}`);
  if (!kindsWithFormat.has(kind)) return i18n.t(`files:kindNames.${kind}` as 'files:kindNames.document');
  const hasFormat = extension !== '' && extension.length <= maxFormatLength;
  if (!hasFormat) return i18n.t(`files:kindNames.${kind}` as 'files:kindNames.image');
  const format = formatNames.get(extension) ?? extension.toUpperCase();
  return i18n.t(`files:kindNames.${kind}Format` as 'files:kindNames.imageFormat', { format });
}
