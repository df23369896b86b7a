import { type Option, unlessEmpty } from './option.ts';
import * as parse from './parse-values.ts';

/** The treatment of deletions that cannot be kept. */
const trashFallbacks = ['refuse', 'delete'] as const;

/** The options about uploads, watched folders, and the trash. */
export const fileOptions = {
  maxUploadBytes: {
    name: 'maxUploadSize',
    value: 'size',
    description: 'maximum size of an upload, such as 20GiB; 0 for no limit',
    fallback: '0',
    parse: parse.parseSize,
  },
  watchFolders: {
    name: 'watchFolders',
    value: 'number',
    description:
      'maximum number of folders watched for changes by other programs, open ones first; others are compared at intervals (empty: a quarter of the system’s limit, at most 32,768)',
    fallback: '',
    parse: unlessEmpty((text: string) => parse.parseInteger(text, 0, 1_000_000)),
  },
  keepsDeleted: {
    name: 'trash',
    value: 'on|off',
    description: 'on: deleted files and folders are kept in the trash; off: they are removed at once',
    fallback: 'on',
    parse: parse.parseSwitch,
  },
  trashFallback: {
    name: 'trashFallback',
    value: 'choice',
    description:
      'refuse or delete: what happens to a deletion that cannot be kept, such as on a disk without space for its record',
    fallback: 'refuse',
    parse: (text) => parse.parseChoice(text, trashFallbacks),
  },
  noTrashBelow: {
    name: 'noTrashBelow',
    value: 'paths',
    description:
      'folders of the served one, separated by commas, in which deletions remove at once and no versions are kept, such as /scratch',
    fallback: '',
    parse: parse.parseVirtualPaths,
  },
  unversionedNames: {
    name: 'unversionedNames',
    value: 'names',
    description:
      'names of files whose former states are not kept, separated by commas, in any letter case; * stands for any text',
    fallback: '.DS_Store,._*,Thumbs.db,desktop.ini,~$*,.~lock.*#',
    parse: parse.parseNamePatterns,
  },
  purgeDelayMs: {
    name: 'purgeDelay',
    value: 'duration',
    description:
      'time for which everything that users delete forever stays on the disk, such as 7d; it can be cancelled meanwhile',
    fallback: '0',
    isStorable: false,
    parse: parse.parseDuration,
  },
  keepAtLeastMs: {
    name: 'keepAtLeast',
    value: 'duration',
    description:
      'time for which deleted entries and versions are not removed early when a disk is full, such as 14d',
    fallback: '7d',
    isStorable: false,
    parse: parse.parseDuration,
  },
} as const satisfies Readonly<Record<string, Option>>;
