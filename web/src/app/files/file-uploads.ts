import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { collectChosen, collectPasted } from '../../features/uploads/collecting/collect-chosen.ts';
import { collectDropped } from '../../features/uploads/collecting/collect-dropped.ts';
import { uploadQueue } from '../../features/uploads/queue/page-queue.ts';
import type { CollectedItems } from '../../features/uploads/collecting/upload-item.ts';
import { formatNumber } from '../../i18n/format.ts';
import { i18n } from '../../i18n/i18n.ts';
import { isolateBidi } from '../../i18n/isolate-bidi.ts';
import { showToast } from '../../ui/feedback/toast.ts';

export type Picker = 'files' | 'folder';

/** Adds chosen, pasted, dropped and shared files to the upload queue. */
class FileUploads {
  #folder: VirtualPath = '/' as VirtualPath;
  #canReplace = false;
  readonly #inputs = new Map<Picker, HTMLInputElement>();

  /** Sets the destination of chosen and pasted files, and whether uploads may overwrite existing files. */
  setDestination(folder: VirtualPath, canReplace: boolean): void {
    this.#folder = folder;
    this.#canReplace = canReplace;
  }

  attach(picker: Picker, input: HTMLInputElement | null): void {
    if (input) this.#inputs.set(picker, input);
    else this.#inputs.delete(picker);
  }

  /** Opens the browser's file picker. */
  readonly choose = (picker: Picker): void => this.#inputs.get(picker)?.click();

  /** Uploads chosen files to the current folder. */
  addChosen(files: Iterable<File>): void {
    this.#add(collectChosen(files), this.#folder);
  }

  /** Uploads the files of a paste event to the current folder. Images without a name get one. */
  readonly paste = (data: DataTransfer): void => {
    const nameOfImage = (time: string) => i18n.t('pastedImage', { ns: 'uploads', time });
    this.#add(collectPasted(data, nameOfImage), this.#folder);
  };

  /** Uploads dropped files. Must be called within the drop event: the browser empties the transfer afterwards. */
  readonly drop = (destination: VirtualPath, data: DataTransfer): void => {
    void collectDropped(data).then((collected) => this.#add(collected, destination));
  };

  /** Uploads files shared by another application to `destination`. */
  addShared(files: Iterable<File>, destination: VirtualPath): void {
    this.#add(collectChosen(files), destination);
  }

  #add({ items, unreadable }: CollectedItems, destination: VirtualPath): void {
    const [name] = unreadable;
    if (name !== undefined) {
      const count = unreadable.length;
      const values = { ns: 'uploads', count, number: formatNumber(count), name: isolateBidi(name) } as const;
      const message = i18n.t(count === 1 ? 'unreadableOne' : 'unreadableMany', values);
      showToast({ tone: 'error', message });
    }
    void uploadQueue.enqueue({ destination, items, canReplace: this.#canReplace });
  }
}

/** The page's single entry point for files. Needs `UploadArea` on the page. */
export const fileUploads = new FileUploads();
