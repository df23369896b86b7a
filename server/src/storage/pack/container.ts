/** The metadata of a member besides its name. */
export interface MemberMetadata {
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Creates the bytes of an archive around the contents of its members; the caller writes header, content and trailer in this
 * order. Returned bytes are valid until the next call. Names are relative, separated by `/`, and already made safe; bytes
 * that are not UTF-8 are escaped in them, and unescaped in the archive.
 */
export interface Container {
  /** The complete member for a folder. */
  folder(name: string, metadata: MemberMetadata): Uint8Array;
  /** The header of a file whose complete content is known. */
  smallFile(name: string, metadata: MemberMetadata, content: Uint8Array): Uint8Array;
  /** The header of a file of `metadata.size` bytes whose content follows in chunks, each passed to {@link piece}. */
  largeFile(name: string, metadata: MemberMetadata): Uint8Array;
  /** The next bytes of the content of a large file. */
  piece(bytes: Uint8Array): void;
  /** The bytes after the content of a file. */
  trailer(): Uint8Array;
  /** The bytes after the last member; without them no reader accepts the archive as complete. */
  end(): Iterable<Uint8Array>;
}

/** The supported container formats. */
export type ContainerName = 'tar' | 'zip';
