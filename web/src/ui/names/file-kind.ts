import type { FileIconKind } from './file-icon.tsx';
import type { EntryType } from '@filestead/contract/files';
import { pictureFormats } from '@filestead/contract/values/picture-formats';

/** The kinds that are determined by the file extension only; those of pictures are in the contract. */
const extensionsByKind: Partial<Record<FileIconKind, string>> = {
  archive: '7z apk ar br bz2 cab cpio deb gz jar lz lz4 lzma rar rpm sz tar tbz tgz txz war xz z zip zst',
  audio: 'aac aif aiff ape flac m4a m4b mid midi mka mp3 oga ogg opus wav weba wma',
  book: 'azw azw3 cbr cbz djvu epub fb2 mobi',
  code: 'astro bash bat c cc cfg clj cmake conf cpp cs css cts dart diff dockerfile ex exs fish go gradle graphql h hpp hs htm html ini ipynb java js json json5 jsonc jsx kt kts less lua m mjs mts nix patch php pl ps1 py r rb rs sass scala scss sh sql svelte swift tf toml ts tsx vue wasm xml xsl yaml yml zig zsh',
  data: 'db dbf mdb parquet sqlite sqlite3',
  disc: 'dmg img iso qcow2 vdi vhd vhdx vmdk',
  document: 'abw doc docm docx dot dotx fodt odt pages rtf tex',
  font: 'eot otf ttc ttf woff woff2',
  key: 'asc cer crt der gpg jks kdbx p12 pem pfx pgp pub',
  mail: 'eml ics mbox msg vcf',
  pdf: 'pdf',
  sheet: 'csv fods numbers ods tsv xls xlsb xlsm xlsx xlt xltx',
  slides: 'fodp key odp pot potx pps ppsx ppt pptm pptx',
  text: 'adoc log markdown md nfo org rst srt text txt vtt',
  video: '3gp avi divx flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv ts vob webm wmv',
};

const kinds = new Map<string, FileIconKind>();
for (const [kind, extensions] of Object.entries(extensionsByKind)) {
  for (const extension of extensions.split(' ')) {
    if (!kinds.has(extension)) kinds.set(extension, kind as FileIconKind);
  }
}

for (const extension of pictureFormats.keys()) {
  if (!kinds.has(extension)) kinds.set(extension, 'image');
}

/** File names without an extension that have a known kind. */
const kindsByName = new Map<string, FileIconKind>([
  ['dockerfile', 'code'],
  ['makefile', 'code'],
  ['license', 'text'],
  ['readme', 'text'],
]);

/** The kinds whose files may be text. */
const textKinds: ReadonlySet<FileIconKind> = new Set(['code', 'data', 'document', 'key', 'mail', 'sheet']);

/** Returns the text after the last dot in lower case; empty without a dot and for dotfiles. */
export function lowerCaseExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * Returns the icon of an entry: by the type from the server, which knows more than the name, otherwise by the
 * extension.
 */
export function fileKind({
  name,
  type,
  isFolder,
}: {
  name: string;
  type: EntryType;
  isFolder: boolean;
}): FileIconKind {
  if (type === 'invalid_link') return 'broken';
  if (isFolder) return 'folder';
  if (type === 'image' || type === 'audio' || type === 'video' || type === 'pdf') return type;
  const byName = kinds.get(lowerCaseExtension(name)) ?? kindsByName.get(name.toLowerCase());
  if (type !== 'text' && type !== 'textImmutable') return byName ?? 'other';
  // A text file cannot be of a kind that is binary, whatever its extension.
  return byName !== undefined && textKinds.has(byName) ? byName : 'text';
}
