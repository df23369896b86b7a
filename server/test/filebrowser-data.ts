import { type BoltFileOptions, type BucketContent, writeBolt } from './bolt-writer.ts';

/** The password of {@link bcryptHash}. */
export const formerPassword = 'a password from before';
/** The bcrypt hash, cost 10, of {@link formerPassword}. */
export const bcryptHash = '$2a$10$qcDjTJSz5e2m35xSnAyCw.97bBHS8ZOBre9AsHbxA2WQJQZl6WJy2';

type Fields = Readonly<Record<string, unknown>>;

/** A user as the existing product stores it (docs/reference/filebrowser-api.md §1.13), with the key order of its newest version. */
export const formerUser = (fields: Fields): Fields => ({
  id: 1,
  username: 'admin',
  password: bcryptHash,
  scope: '.',
  locale: 'en',
  lockPassword: false,
  viewMode: 'mosaic',
  singleClick: false,
  redirectAfterCopyMove: true,
  perm: {
    admin: false,
    execute: true,
    create: true,
    rename: true,
    modify: true,
    delete: true,
    share: true,
    download: true,
  },
  commands: [],
  sorting: { by: '', asc: false },
  rules: [],
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
  ...fields,
});

/** A link as the existing product stores it (docs/reference/filebrowser-api.md §1.11). */
export const formerLink = (fields: Fields): Fields => ({
  hash: 'abcDEF12',
  path: '/docs/',
  userID: 1,
  expire: 0,
  ...fields,
});

/** Settings as the existing product stores them (docs/reference/filebrowser-api.md §5.4). */
export const formerSettings = (fields: Fields = {}): Fields => ({
  key: Buffer.alloc(64, 7).toString('base64'),
  signup: false,
  hideLoginButton: true,
  createUserDir: false,
  userHomeBasePath: '/users',
  defaults: {
    scope: '.',
    locale: 'en',
    viewMode: 'mosaic',
    singleClick: false,
    redirectAfterCopyMove: true,
    sorting: { by: '', asc: false },
    perm: {
      admin: false,
      execute: true,
      create: true,
      rename: true,
      modify: true,
      delete: true,
      share: true,
      download: true,
    },
    commands: null,
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: '',
  },
  authMethod: 'json',
  logoutPage: '/login',
  branding: {
    name: '',
    disableExternal: false,
    disableUsedPercentage: false,
    files: '',
    theme: '',
    color: '',
  },
  tus: { chunkSize: 10485760, retryCount: 5 },
  commands: { after_copy: [], after_delete: [], before_upload: [] },
  shell: null,
  rules: [],
  minimumPasswordLength: 12,
  fileMode: 416,
  dirMode: 488,
  hideDotfiles: false,
  ...fields,
});

/** How the existing product was started. */
export const formerServer = (fields: Fields = {}): Fields => ({
  root: '/srv',
  baseURL: '',
  socket: '',
  tlsKey: '',
  tlsCert: '',
  port: '8080',
  address: '127.0.0.1',
  log: 'stdout',
  enableThumbnails: true,
  resizePreview: true,
  enableExec: false,
  typeDetectionByHeader: true,
  imageResolutionCalculation: true,
  authHook: '',
  tokenExpirationTime: '2h',
  ...fields,
});

/** The content of a database of the existing product. */
export interface FormerData {
  readonly users?: readonly Fields[];
  readonly links?: readonly Fields[];
  readonly settings?: Fields;
  readonly server?: Fields;
  readonly auther?: Fields;
}

function idKey(id: unknown): string {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(Number(id)));
  return key.toString('latin1');
}

const metadata = { codec: 'json' };

/** The bytes of a database file as the existing product writes it (docs/reference/filebrowser-api.md §5.5), with its indexes. */
export function writeFormerDatabase(data: FormerData, options: BoltFileOptions = {}): Buffer {
  const { users = [formerUser({ perm: { admin: true } })], links = [] } = data;
  const nameIndex = Object.fromEntries(users.map(({ username, id }) => [String(username), idKey(id)]));
  const buckets: Record<string, BucketContent> = {
    config: {
      __storm_metadata: metadata,
      settings: JSON.stringify(data.settings ?? formerSettings()),
      server: JSON.stringify(data.server ?? formerServer()),
      auther: JSON.stringify(data.auther ?? { recaptcha: null }),
      version: '2',
    },
    __storm_db: { __storm_metadata: metadata, version: '"2.0.0"' },
    User: {
      __storm_metadata: { ...metadata, IDcounter: idKey(users.length) },
      __storm_index_Username: nameIndex,
      ...Object.fromEntries(users.map((user) => [idKey(user.id), JSON.stringify(user)])),
    },
  };
  if (links.length > 0) {
    buckets.Link = {
      __storm_metadata: metadata,
      __storm_index_Path: { storm__ids: { a: 'b' } },
      ...Object.fromEntries(links.map((link) => [String(link.hash), JSON.stringify(link)])),
    };
  }
  return writeBolt(buckets, options);
}
