/** The kind of an entry. `special` is a pipe, socket or device: it is listed, never opened. */
export type EntryKind = 'file' | 'folder' | 'special' | 'invalid_link';
