/**
 * Media types by extension that differ from the common table or are missing in it. Those of pictures are in
 * `picture-formats.ts`. Extensions are in lower case and without the dot.
 */
export const ownMediaTypes: Readonly<Record<string, readonly string[]>> = {
  'application/octet-stream': [
    'a',
    'accdb',
    'azw3',
    'class',
    'db',
    'gpg',
    'kdbx',
    'kra',
    'o',
    'parquet',
    'pyc',
    'pyo',
    'sqlite',
    'sqlite3',
  ],
  'application/x-lz4': ['lz4'],
  'application/x-snappy-framed': ['sz'],
  'application/gzip': ['tgz'],
  'application/x-bzip2': ['tbz', 'tbz2'],
  'application/x-xz': ['xz', 'txz'],
  'application/zstd': ['zst'],
  'audio/opus': ['opus'],
  // TypeScript, not an MPEG transport stream; Scheme, Org and batch files, not the office formats with the same
  // extension.
  'text/x-typescript': ['ts', 'mts', 'cts', 'tsx'],
  'text/x-scheme': ['scm'],
  'text/x-org': ['org'],
  'text/x-batch': ['bat', 'cmd'],
  'text/x-playlist': ['m3u', 'm3u8', 'pls', 'cue'],
  'text/plain': [
    'jsonc',
    'lock',
    'env',
    'srt',
    'ass',
    'ssa',
    'eml',
    'mbox',
    'asc',
    'pem',
    'dart',
    'ps1',
    'vue',
  ],
};

/** Media types that are text although they do not begin with `text/`. */
const textualTypes = new Set([
  'application/ecmascript',
  'application/graphql',
  'application/javascript',
  'application/json',
  'application/json5',
  'application/sql',
  'application/toml',
  'application/x-csh',
  'application/x-httpd-php',
  'application/x-perl',
  'application/x-sh',
  'application/x-tcl',
  'application/x-tex',
  'application/x-texinfo',
  'application/xml',
  'application/yaml',
]);

/** Whether files of this media type are text that can be viewed and edited. SVG is an image. */
export const isTextual = (mediaType: string): boolean =>
  mediaType.startsWith('text/') ||
  textualTypes.has(mediaType) ||
  (mediaType.startsWith('application/') && /\+(?:json|xml)$/.test(mediaType));
