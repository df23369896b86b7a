import { join, resolve } from 'node:path';
import { type Option, positive } from './option.ts';
import * as parse from './parse-values.ts';
import { searchFormats } from './search-format.ts';

/** The part of its time in which the scanning thread may read the disk. */
const catalogueBudgets = ['25%', 'full'] as const;

/** The options about unfinished uploads, archives, search, jobs, previews and monitoring. */
export const featureOptions = {
  maxUploadsPerUser: {
    name: 'uploadsPerUser',
    value: 'number',
    description: 'maximum number of unfinished resumable uploads per user',
    fallback: '100',
    parse: positive,
  },
  uploadExpirationMs: {
    name: 'uploadExpiration',
    value: 'duration',
    description: 'time without data after which a resumable upload is discarded',
    fallback: '7d',
    parse: parse.parsePositiveDuration,
  },
  maxArchives: {
    name: 'archivesAtOnce',
    value: 'number',
    description: 'maximum number of concurrent archive downloads (folders or several files)',
    fallback: '32',
    parse: positive,
  },
  /** Format of search results for clients that do not request one. */
  searchFormat: {
    name: 'searchFormat',
    value: 'format',
    description: 'default format of search results: auto, array (File Browser 2.23) or ndjson (2.63)',
    fallback: 'auto',
    parse: (text) => parse.parseChoice(text, searchFormats),
  },
  hasCatalogue: {
    name: 'catalogue',
    value: 'on|off',
    description:
      'on: catalogue all names, sizes and times for ranked search and folder sizes; off: searches walk the folders',
    fallback: 'on',
    parse: parse.parseSwitch,
  },
  catalogueEntries: {
    name: 'catalogueEntries',
    value: 'number',
    description:
      'maximum number of files and folders in the catalogue, upper levels first; each needs about 80 bytes of memory',
    fallback: '2000000',
    parse: (text) => parse.parseInteger(text, 1000, 50_000_000),
  },
  catalogueBudget: {
    name: 'catalogueBudget',
    value: 'part',
    description: 'part of one thread that may read the disk for the catalogue: 25% or full',
    fallback: '25%',
    parse: (text) => (parse.parseChoice(text, catalogueBudgets) === 'full' ? 'full' : 'quarter'),
  },
  scansNetwork: {
    name: 'catalogueNetwork',
    value: 'on|off',
    description: 'on: a served folder on a network or FUSE file system is catalogued too',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  sweepIntervalMs: {
    name: 'sweepInterval',
    value: 'duration',
    description: 'how often all folders are compared with the catalogue while a user is active',
    fallback: '5m',
    parse: (text) => Math.max(parse.parsePositiveDuration(text), 10_000),
  },
  searchesContents: {
    name: 'contentSearch',
    value: 'on|off',
    description:
      'on: read the text of documents in the background, so that it can be searched; needs the catalogue; off: remove the index',
    fallback: 'off',
    parse: parse.parseSwitch,
  },
  jobsAtOnce: {
    name: 'jobsAtOnce',
    value: 'number',
    description: 'maximum number of concurrent jobs (copies, moves, deletions, checksums); others wait',
    fallback: '4',
    parse: positive,
  },
  jobsPerUser: {
    name: 'jobsPerUser',
    value: 'number',
    description: 'maximum number of concurrent jobs per user',
    fallback: '2',
    parse: positive,
  },
  /** Folder that contains the preview cache. */
  cache: {
    name: 'cacheDir',
    value: 'folder',
    description: 'folder for cached thumbnails and previews (empty: cache in the data folder)',
    fallback: '',
    parse: (text, { cwd, data }) => (text === '' ? join(data, 'cache') : resolve(cwd, text)),
  },
  /** 0 disables the cache. */
  maxCacheBytes: {
    name: 'cacheSize',
    value: 'size',
    description: 'maximum size of that cache; the least recently used files are removed; 0 disables it',
    fallback: '1GiB',
    parse: parse.parseSize,
  },
  imageProcessors: {
    name: 'imageProcessors',
    alias: 'imgProcessors',
    value: 'number',
    description: 'number of thumbnails and previews that are created concurrently',
    fallback: '4',
    parse: (text) => parse.parseInteger(text, 1, 64),
  },
  makesThumbnails: {
    name: 'disableThumbnails',
    description: 'send original images instead of thumbnails',
    fallback: 'off',
    parse: (text) => !parse.parseSwitch(text),
  },
  makesBigPictures: {
    name: 'disablePreviewResize',
    description: 'send original images instead of previews scaled to the screen',
    fallback: 'off',
    parse: (text) => !parse.parseSwitch(text),
  },
  /** 0 disables the check. */
  minFreeBytes: {
    name: 'minFreeSpace',
    value: 'size',
    description: 'free disk space, such as 1GiB, below which /health/ready answers 503; 0 disables the check',
    fallback: '0',
    parse: parse.parseSize,
  },
  /** Null to serve no metrics. */
  metricsAddress: {
    name: 'metricsAddress',
    value: 'host:port',
    description:
      'where to serve metrics for Prometheus, such as 127.0.0.1:9464; a port alone means this machine (empty: nowhere)',
    fallback: '',
    parse: (text) => (text === '' ? null : parse.parseHostAndPort(text)),
  },
  /** Null if the metrics are for everybody who reaches their address. */
  metricsToken: {
    name: 'metricsToken',
    value: 'text',
    description:
      'secret that requests for metrics must contain (Authorization: Bearer …); best set in the environment or a file (empty: none)',
    fallback: '',
    isStorable: false,
    parse: parse.parseBearerToken,
  },
  shutdownGraceMs: {
    name: 'shutdownGrace',
    value: 'duration',
    description: 'time that running transfers may take after the signal to stop',
    fallback: '30s',
    parse: parse.parseDuration,
  },
} as const satisfies Readonly<Record<string, Option>>;
