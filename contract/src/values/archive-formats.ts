/** The archive formats, under the names of the API (docs/reference/filebrowser-api.md §1.7, §6.5). */
export const archiveFormats = [
  'zip',
  'tar',
  'targz',
  'tarbz2',
  'tarxz',
  'tarlz4',
  'tarsz',
  'tarzst',
  'tarbr',
] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/** The file name extension and the media type of each archive format (docs/reference/filebrowser-api.md §1.7). */
export const archiveFormatNames: Readonly<Record<ArchiveFormat, { extension: string; mediaType: string }>> = {
  zip: { extension: '.zip', mediaType: 'application/zip' },
  tar: { extension: '.tar', mediaType: 'application/octet-stream' },
  targz: { extension: '.tar.gz', mediaType: 'application/x-gzip' },
  tarbz2: { extension: '.tar.bz2', mediaType: 'application/octet-stream' },
  tarxz: { extension: '.tar.xz', mediaType: 'application/octet-stream' },
  tarlz4: { extension: '.tar.lz4', mediaType: 'application/octet-stream' },
  tarsz: { extension: '.tar.sz', mediaType: 'application/octet-stream' },
  tarzst: { extension: '.tar.zst', mediaType: 'application/octet-stream' },
  tarbr: { extension: '.tar.br', mediaType: 'application/octet-stream' },
};

/** Alternative names of formats, without dots and in lower case. */
const otherNames: Readonly<Record<string, ArchiveFormat>> = {
  '': 'zip',
  true: 'zip',
  tgz: 'targz',
  tbz2: 'tarbz2',
  txz: 'tarxz',
  tzst: 'tarzst',
  tarzstd: 'tarzst',
};

/**
 * Returns the format with the name `name`, where `tar.gz` is the same as `targz`; `undefined` and `true` mean zip. Null
 * for an unknown name.
 */
export function archiveFormatNamed(name: string | undefined): ArchiveFormat | null {
  const folded = (name ?? '').toLowerCase().replaceAll('.', '');
  const match = archiveFormats.find((format) => format === folded);
  return match ?? (Object.hasOwn(otherNames, folded) ? (otherNames[folded] ?? null) : null);
}

/** The formats that can be browsed and extracted; 7z archives are not created. */
export type ReadableArchiveFormat = ArchiveFormat | '7z';

/** The file name extensions of archives that can be browsed and extracted. */
const readableArchive = /\.(?:zip|7z|jar|war|tar(?:\.(?:gz|bz2|xz|lz4|sz|zst|br))?|t(?:gz|bz2?|xz|zst))$/i;

/** Returns the extension of an archive that can be read, in its original case: `.tar.gz` of `a.tar.gz`; null for other files. */
export const archiveExtensionOf = (name: string): string | null =>
  readableArchive.exec(name.slice(1))?.[0] ?? null;

/** Returns the format of a file that can be browsed and extracted, by its name; null for other files. */
export function archiveFormatOfName(name: string): ReadableArchiveFormat | null {
  const extension = archiveExtensionOf(name)?.toLowerCase();
  if (extension === undefined) return null;
  if (extension === '.7z') return '7z';
  if (extension === '.jar' || extension === '.war') return 'zip';
  return extension === '.tbz' ? 'tarbz2' : archiveFormatNamed(extension);
}
