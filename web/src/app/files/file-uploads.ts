import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import { takeDropped } from '../../features/uploads/collecting/take-dropped.ts';
import type { CollectedItems } from '../../features/uploads/collecting/upload-item.ts';
import { currentSession } from '../../features/sessions/session-store.ts';
import { i18n } from '../../i18n/i18n.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { uploadCode } from './upload-code.ts';

export type Picker = 'files' | 'folder';

/** Chromium's file picker; TypeScript does not declare it. */
interface PickerWindow {
  showOpenFilePicker?: (options: { multiple: true }) => Promise<FileSystemFileHandle[]>;
}

/** The collectors of items, which are part of the code that is fetched on demand. */
type Collectors = Awaited<ReturnType<typeof uploadCode.load>>['collectors'];

/**
 * Adds chosen, pasted, dropped and shared files to the upload queue, whose code is fetched if necessary. The files are
 * taken within the event, because the browser empties a transfer afterwards.
 */
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

  /**
   * Opens the browser's file picker. Chromium's own picker returns handles, with which files can be read again after a
   * reload. Folders are chosen by an input: that picker refuses folders such as Downloads.
   */
  readonly choose = (picker: Picker): void => {
    const { showOpenFilePicker } = window as PickerWindow;
    if (picker === 'folder' || showOpenFilePicker === undefined) {
      this.#inputs.get(picker)?.click();
      return;
    }
    const folder = this.#folder;
    showOpenFilePicker({ multiple: true }).then(
      (handles) => this.#add(folder, ({ collectPicked }) => collectPicked(handles)),
      (error: unknown) => {
        // A cancelled picker throws an AbortError; after any other error the input is used.
        if (!(error instanceof DOMException && error.name === 'AbortError'))
          this.#inputs.get(picker)?.click();
      },
    );
  };

  /** Uploads chosen files to the current folder. */
  addChosen(files: readonly File[]): void {
    this.#add(this.#folder, ({ collectChosen }) => collectChosen(files));
  }

  /** Uploads the files of a paste event to the current folder. Images without a name get one. */
  readonly paste = (data: DataTransfer): void => {
    const files = [...data.files];
    const nameOfImage = (time: string) => i18n.t('pastedImage', { ns: 'uploads', time });
    this.#add(this.#folder, ({ collectPasted }) => collectPasted(files, nameOfImage));
  };

  /** Uploads dropped files. Must be called within the drop event. */
  readonly drop = (destination: VirtualPath, data: DataTransfer): void => {
    const dropped = takeDropped(data);
    this.#add(destination, ({ collectDropped }) => collectDropped(dropped));
  };

  /** Uploads files shared by another application to `destination`. */
  addShared(files: readonly File[], destination: VirtualPath): void {
    this.#add(destination, ({ collectChosen }) => collectChosen(files));
  }

  #add(
    destination: VirtualPath,
    collect: (collectors: Collectors) => CollectedItems | Promise<CollectedItems>,
  ): void {
    const userId = currentSession().user?.id;
    const canReplace = this.#canReplace;
    const add = async () => {
      const { addUploads, collectors } = await uploadCode.load();
      const collected = await collect(collectors);
      // Another user may have signed in meanwhile.
      if (currentSession().user?.id === userId) addUploads(collected, destination, canReplace);
    };
    add().catch(() => showToast({ tone: 'error', message: i18n.t('partNotLoaded') }));
  }
}

/** The page's single entry point for files. Needs `UserUploads` on the page. */
export const fileUploads = new FileUploads();
