import type { VirtualPath } from '@filestead/contract/virtual-path';
import { useEffect, useState } from 'react';
import { collectChosen } from '../features/uploads/collect-chosen.ts';
import { collectDropped } from '../features/uploads/collect-dropped.ts';
import { uploadQueue } from '../features/uploads/own-queue.ts';
import type { CollectedItems } from '../features/uploads/upload-item.ts';
import { formatNumber } from '../i18n/format.ts';
import { i18n } from '../i18n/i18n.ts';
import { showToast } from '../ui/toast.ts';

type Picker = 'files' | 'folder';

/** The ways by which files of the user's machine get into the upload queue. */
export class FileUploads {
  #folder: VirtualPath;
  #canReplace: boolean;
  readonly #inputs = new Map<Picker, HTMLInputElement>();

  constructor(folder: VirtualPath, canReplace: boolean) {
    this.#folder = folder;
    this.#canReplace = canReplace;
  }

  /** Sets where chosen files go, and whether they may replace what is there. */
  aim(folder: VirtualPath, canReplace: boolean): void {
    this.#folder = folder;
    this.#canReplace = canReplace;
  }

  attach(picker: Picker, input: HTMLInputElement | null): void {
    if (input) this.#inputs.set(picker, input);
    else this.#inputs.delete(picker);
  }

  /** Opens the browser's picker. */
  readonly choose = (picker: Picker): void => this.#inputs.get(picker)?.click();

  /** Sends what was chosen to the folder that is shown. */
  chosen(files: Iterable<File>): void {
    this.#add(collectChosen(files), this.#folder);
  }

  /** Must be called within the drop event: the browser empties the transfer when it is over. */
  readonly drop = (destination: VirtualPath, data: DataTransfer): void => {
    void this.#addDropped(destination, data);
  };

  async #addDropped(destination: VirtualPath, data: DataTransfer): Promise<void> {
    this.#add(await collectDropped(data), destination);
  }

  #add({ items, unreadable }: CollectedItems, destination: VirtualPath): void {
    const [name] = unreadable;
    if (name !== undefined) {
      const count = unreadable.length;
      const message = i18n.t('unreadable', { ns: 'uploads', count, number: formatNumber(count), name });
      showToast({ tone: 'error', message });
    }
    void uploadQueue.enqueue({ destination, items, canReplace: this.#canReplace });
  }
}

/** One {@link FileUploads} as long as the screen lives, aimed at `folder`. Needs {@link UploadInputs} on the page. */
export function useFileUploads(folder: VirtualPath, canReplace: boolean): FileUploads {
  const [uploads] = useState(() => new FileUploads(folder, canReplace));
  useEffect(() => uploads.aim(folder, canReplace), [uploads, folder, canReplace]);
  return uploads;
}

/** The fields behind the browser's pickers; they show nothing. */
export function UploadInputs({ uploads }: { uploads: FileUploads }) {
  return (['files', 'folder'] as const).map((picker) => (
    <input
      key={picker}
      ref={(input) => uploads.attach(picker, input)}
      type="file"
      multiple
      hidden
      data-upload={picker}
      {...(picker === 'folder' && { webkitdirectory: '' })}
      onChange={({ currentTarget }) => {
        // Copied before the field is emptied, so that the same file can be chosen again.
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = '';
        uploads.chosen(files);
      }}
    />
  ));
}
