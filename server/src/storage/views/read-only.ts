import { AppError } from '../../errors.ts';
import type { PartialFile, Storage } from '../storage.ts';
import { StorageView, type StorageVerb } from './storage-view.ts';

/** Whether a verb only reads. */
const isReadVerb: Readonly<Record<StorageVerb, boolean>> = {
  stat: true,
  list: true,
  statOrList: true,
  openFile: true,
  walk: true,
  pack: true,
  find: true,
  usage: true,
  within: true,
  write: false,
  partial: false,
  createFolder: false,
  move: false,
  copy: false,
  remove: false,
  kept: false,
  restore: false,
  purge: false,
  stores: false,
  observe: false,
  ledger: false,
  record: false,
  compact: false,
};

/** See {@link readOnly}. */
export class ReadOnlyStorage extends StorageView {
  protected readonly inner: Storage;

  constructor(inner: Storage) {
    super();
    this.inner = inner;
  }

  protected authorize(verb: StorageVerb): void {
    if (!isReadVerb[verb]) throw new AppError('forbidden');
  }

  protected wrap(storage: Storage): Storage {
    return new ReadOnlyStorage(storage);
  }

  override partial(): PartialFile {
    throw new AppError('forbidden');
  }
}

/** The storage without the verbs that change files, and without access to kept entries: they throw `forbidden`. */
export const readOnly = (storage: Storage): Storage => new ReadOnlyStorage(storage);
