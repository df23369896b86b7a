import type { EntryType } from '@filestead/contract/files';
import type { Permissions } from '@filestead/contract/values/permissions';
import type { VirtualPath } from '@filestead/contract/paths/virtual-path';
import type { ReactNode } from 'react';

/** A file whose versions are shown. */
export interface VersionedFile {
  readonly path: VirtualPath;
  readonly name: string;
  readonly type: EntryType;
  /** Bytes. */
  readonly size: number;
  readonly modifiedMs: number;
}

/** The present or a former state of a file. */
export interface FileState extends Omit<VersionedFile, 'path'> {
  /** The address of its content, to be shown in a page. */
  readonly url: string;
  /** The address of the image that the server generates for it. */
  readonly pictureUrl: string;
}

/** The functions of the application that the dialog of versions uses. */
export interface VersionsHost {
  readonly can: Permissions;
  readonly isPhone: boolean;
  /** Renders a preview of a state of a file that is neither an image nor a text. */
  readonly renderPreview: (state: FileState) => ReactNode;
  /** Updates the shown folder after a file was changed or created. */
  readonly announceChange: (path: VirtualPath) => void;
  /** Shows an entry in its folder. */
  readonly reveal: (path: VirtualPath) => void;
  /** Notifies of success, with a button that undoes it: operations of the server, which can also be undone later, or a function. */
  readonly notifyWithUndo: (
    message: string,
    undo: readonly string[] | (() => Promise<string | void>),
  ) => void;
  /** Returns the reason of a failure and what to do about it. */
  readonly reasonOf: (error: unknown) => string;
}
