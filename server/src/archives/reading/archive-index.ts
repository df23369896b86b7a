import type { ErrorCode } from '@filestead/contract/errors';
import {
  nameOf,
  parentOf,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@filestead/contract/paths/virtual-path';
import { AppError } from '../../errors.ts';
import { Yielder } from '../../scheduling/event-loop.ts';
import { type ArchiveMember, isRoot } from './archive-member.ts';

/** A file of an archive, or a folder with its children. */
export interface IndexedEntry<Member extends ArchiveMember = ArchiveMember> {
  readonly path: VirtualPath;
  /** Null for folders that the archive does not list itself. */
  member: Member | null;
  /** The entries of a folder by name; null for a file. */
  readonly children: Map<string, IndexedEntry<Member>> | null;
}

/** A member that can be neither browsed nor extracted, with the reason. */
export interface SkippedMember {
  readonly name: string;
  readonly code: ErrorCode;
}

/** The entries of an archive as a tree of files and folders. */
export interface ArchiveIndex<Member extends ArchiveMember = ArchiveMember> {
  readonly root: IndexedEntry<Member>;
  /** All entries below the root by path. */
  readonly entries: ReadonlyMap<VirtualPath, IndexedEntry<Member>>;
  readonly skipped: readonly SkippedMember[];
  /** The content of all files, in bytes. */
  readonly bytes: number;
}

/** Builds the index of an archive, member by member in their order. */
export class IndexBuilder<Member extends ArchiveMember> {
  readonly #root: IndexedEntry<Member> = { path: rootPath, member: null, children: new Map() };
  readonly #entries = new Map<VirtualPath, IndexedEntry<Member>>([[rootPath, this.#root]]);
  readonly #skipped: SkippedMember[] = [];

  /** Adds a member. A later member with the same path replaces an earlier one, as in the archives of `tar --append`. */
  add(member: Member): void {
    if (isRoot(member)) return;
    const { path, name, kind } = member;
    if (path === null) this.#skip(name, 'invalid_path');
    else if (kind === 'link') this.#skip(name, 'external_link');
    else if (kind === 'special') this.#skip(name, 'special_file');
    else if (kind === 'folder') this.#addFolder(path, member);
    else this.#addFile(path, member);
  }

  #skip(name: string, code: ErrorCode): void {
    this.#skipped.push({ name, code });
  }

  #addFolder(path: VirtualPath, member: Member): void {
    const folder = this.#folderAt(path);
    if (folder === null) this.#skip(member.name, 'already_exists');
    else folder.member = member;
  }

  #addFile(path: VirtualPath, member: Member): void {
    const parent = this.#folderAt(parentOf(path));
    const existing = this.#entries.get(path);
    const target = member.kind === 'copy' ? this.#copyTarget(member) : member;
    if (parent === null || (existing !== undefined && existing.children !== null)) {
      this.#skip(member.name, 'already_exists');
    } else if (target === null) {
      this.#skip(member.name, 'external_link');
    } else {
      const entry = { path, member: target, children: null };
      this.#entries.set(path, entry);
      parent.children?.set(nameOf(path), entry);
    }
  }

  /** A hard link becomes another file with the content of its target; null when the target is missing. */
  #copyTarget(member: Member): Member | null {
    const target = member.target == null ? undefined : this.#entries.get(member.target);
    return target?.children === null ? target.member : null;
  }

  /** Returns the folder at `path` and creates missing ones; null when a file is in the way. */
  #folderAt(path: VirtualPath): IndexedEntry<Member> | null {
    const existing = this.#entries.get(path);
    if (existing !== undefined) return existing.children === null ? null : existing;
    let folder = this.#root;
    let at = '';
    for (const name of segmentsOf(path)) {
      at += `/${name}`;
      let child = folder.children?.get(name);
      if (child === undefined) {
        child = { path: at as VirtualPath, member: null, children: new Map() };
        this.#entries.set(child.path, child);
        folder.children?.set(name, child);
      }
      if (child.children === null) return null;
      folder = child;
    }
    return folder;
  }

  /** Returns the index. */
  async finish(): Promise<ArchiveIndex<Member>> {
    let bytes = 0;
    const yielder = new Yielder();
    for (const { member, children } of this.#entries.values()) {
      if (children === null) bytes += member?.size ?? 0;
      if (yielder.isDue()) await yielder.yield();
    }
    this.#entries.delete(rootPath);
    return { root: this.#root, entries: this.#entries, skipped: this.#skipped, bytes };
  }
}

/** Returns the entry at `path`. Throws `not_found`. */
export function findEntry<Member extends ArchiveMember>(
  { root, entries }: ArchiveIndex<Member>,
  path: VirtualPath,
): IndexedEntry<Member> {
  const entry = path === rootPath ? root : entries.get(path);
  if (entry === undefined) throw new AppError('not_found');
  return entry;
}
