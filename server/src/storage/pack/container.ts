/** The metadata of a member besides its name. */
export interface MemberFacts {
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedMs: number;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Makes the bytes of an archive around the contents of its members: whoever uses it puts them in order, header, content,
 * trailer. What it returns is valid until the next call. Names are relative, separated by `/`, and made safe already; bytes
 * in them that are not UTF-8 are escaped, and become what they were in the archive.
 */
export interface Container {
  /** A folder, whole. */
  folder(name: string, facts: MemberFacts): Uint8Array;
  /** The header of a file whose whole content is at hand. */
  smallFile(name: string, facts: MemberFacts, content: Uint8Array): Uint8Array;
  /** The header of a file of `facts.size` bytes whose content follows piece by piece, each told to {@link piece}. */
  largeFile(name: string, facts: MemberFacts): Uint8Array;
  /** The next bytes of the content of a large file. */
  piece(bytes: Uint8Array): void;
  /** The bytes after the content of a file. */
  trailer(): Uint8Array;
  /** The bytes after the last member; without them no reader accepts the archive as complete. */
  end(): Iterable<Uint8Array>;
}

/** The containers there are. */
export type ContainerName = 'tar' | 'zip';
